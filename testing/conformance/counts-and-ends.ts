/** Answers whose counts or whose end are told in a way of their maker. */
import { chunk, sendJson, usageChunk } from "../upstream/test-upstream";
import type { Answers, Situation } from "./situation";
import { chatAnswer, chatStream, DONE, openai, raw, usage } from "./upstreams";

const hi = chunk({ role: "assistant", content: "hi" });
const stop = chunk({}, {}, "stop");
const says = { text: "hi", calls: [], end: "stop", error: null };

/** The same charge as of every answer: 100 tokens of input, and 20 of output. */
const counted = (report: object): Answers => ({
  ...chatAnswer({ content: "hi" }, "stop", { usage: report }),
  stream: raw(hi + stop + usageChunk(report) + DONE),
});

const counts = (
  [sent, thread, got]: readonly [sent: string, thread: string, got: string],
  report: object,
): Situation => ({
  ...{ sent, thread, got, right: "charged by all of it", upstream: openai(counted(report)) },
  reads: says,
});

const ended = (finish: string, thread: string | null, end: "filter" | "length"): Situation => ({
  sent: `\`finish_reason: ${JSON.stringify(finish)}\` at the end`,
  ...{ thread, got: "an answer that is cut", right: end === "length" ? "the same" : `\`${end}\`` },
  upstream: openai(
    chatStream([{ role: "assistant", content: "hi" }], finish),
    chatAnswer({ content: "hi" }, finish),
  ),
  reads: { text: "hi", calls: [], end, error: null },
});

const blocked = { index: 0, finish_reason: "content_filter" };

export const countsAndEnds: readonly Situation[] = [
  counts(
    ["thinking that is counted beside the output", "Wei-Shaw/sub2api#5771", "charged by less"],
    {
      ...{ prompt_tokens: 100, completion_tokens: 5, total_tokens: 120 },
      completion_tokens_details: { reasoning_tokens: 15 },
    },
  ),
  counts(["thinking that is counted within the output", "promptfoo/promptfoo#9507", "the same"], {
    ...{ prompt_tokens: 100, completion_tokens: 20, total_tokens: 120 },
    completion_tokens_details: { reasoning_tokens: 15 },
  }),
  {
    sent: "usage without details",
    thread: "BigPizzaV3/CodexPlusPlus#1919",
    got: "Codex: a stream that ends early, and tries again",
    right: "details of zero in Responses, whose clients need them",
    upstream: openai(counted({ prompt_tokens: 100, completion_tokens: 20, total_tokens: 120 })),
    reads: {
      ...{ chat: says, messages: says },
      responses: { ...says, counts: { cached_tokens: 0, reasoning_tokens: 0 } },
    },
    asks: {},
  },
  {
    sent: "usage within a choice",
    ...{ thread: "earendil-works/pi#2017", got: "charged", right: "charged" },
    upstream: {
      openai: {
        stream: raw(
          hi +
            chunk({}, { choices: [{ index: 0, delta: {}, finish_reason: "stop", usage }] }) +
            DONE,
        ),
      },
    },
    reads: says,
  },
  ended("IMAGE_PROHIBITED_CONTENT", "HKUDS/Vibe-Trading#308", "filter"),
  ended("content_filter: PROHIBITED_CONTENT", null, "filter"),
  ended("function_call_filter: MALFORMED_FUNCTION_CALL", null, "length"),
  {
    sent: "an end by a filter, and no message",
    thread: "bespokelabsai/curator#261",
    ...{ got: "502, a loss", right: "`filter`, charged" },
    upstream: openai(
      {
        plain: (response) =>
          sendJson(
            response,
            JSON.stringify({ id: "a", object: "chat.completion", choices: [blocked], usage }),
          ),
      },
      {
        stream: raw(chunk({}, { choices: [{ ...blocked, delta: {} }] }) + usageChunk(usage) + DONE),
      },
    ),
    reads: { text: "", calls: [], end: "filter", error: null },
  },
];
