/** Further forms of answers: events, ends, errors within answers, and labels of encodings. */
import { chunk, completion, usageChunk } from "../upstream/test-upstream";
import { event, messageStart, messageUsage } from "../upstream/text-wires";
import type { Situation, Words } from "./situation";
import { streamed, word } from "./streams";
import { block, both, chatAnswer, DONE, messageAnswer, openai, raw, usage } from "./upstreams";

const says = { text: "hi", calls: [], end: "stop", error: null };
const hi = chunk({ role: "assistant", content: "hi" });
const stop = chunk({}, {}, "stop");
const last = usageChunk(usage);
const whole = completion("hi", { usage });

const lines = (text: string) => text.replaceAll("data: ", "").replaceAll("\n\n", "\n");

const events: readonly Situation[] = [
  streamed(
    ["`[done]` in small letters", null, "the stream ends as failed", "the text"],
    `${hi}${stop}${last}data: [done]\n\n`,
  ),
  streamed(
    ['`"[DONE]"` in quotes', null, "the stream ends as failed", "the text"],
    `${hi}${stop}${last}data: "[DONE]"\n\n`,
  ),
  streamed(
    [
      "a first chunk with empty words and what a filter found",
      "meilisearch/meilisearch#6341",
      "the text",
      "the text",
    ],
    `data: ${JSON.stringify({ choices: [], created: 0, id: "", model: "", object: "", prompt_filter_results: [{ prompt_index: 0, content_filter_results: {} }] })}\n\n${hi}${stop}${last}${DONE}`,
  ),
  streamed(["no `[DONE]`", null, "the text", "the text"], hi + stop + last),
  streamed(
    ["chunks in lines that are no events", null, "502", "the text"],
    lines(hi + stop + last),
  ),
  streamed(
    ["a whole answer as the only event", null, "no text", "the text"],
    `data: ${JSON.stringify(JSON.parse(whole))}\n\n${DONE}`,
  ),
  streamed(
    ["a chunk in several lines of data", null, "the text", "the text"],
    `${hi.trimEnd().replace(',"', ',\ndata: "')}\n\n${stop}${last}${DONE}`,
  ),
  streamed(
    ["lines that end with CR alone", null, "the text", "the text"],
    (hi + stop + last + DONE).replaceAll("\n", "\r"),
  ),
  streamed(
    ["`event:` and `retry:` lines", null, "the text", "the text"],
    `retry: 3000\n\nevent: message\n${hi}event: message\n${stop}${last}${DONE}`,
  ),
  streamed(
    ["events of another kind, such as `ping`", null, "the text", "the text"],
    `event: ping\ndata: {"type":"ping"}\n\n${hi}data: {}\n\n${stop}${last}${DONE}`,
  ),
  streamed(
    ["filter results before the text", null, "the text", "the text"],
    `data: {"choices":[],"prompt_filter_results":[{"prompt_index":0}],"id":"","model":""}\n\n${hi}${stop}${last}${DONE}`,
  ),
];

const asks = "Please reduce the length. This model's maximum context length is 4097 tokens.";
const tooLong = { status: 400, code: "context_length_exceeded" };

/** An error in an answer of status 200, which is read as a refusal. */
const refusedIn = (
  [sent, thread, got, right]: Words,
  upstream: Situation["upstream"],
  error: object = tooLong,
): Situation => ({
  ...{ sent, thread, got, right, upstream, ends: "free" },
  reads: { chat: { error }, messages: { error }, responses: { end: "error" } },
  asks: {},
});

const bad = "502, a loss";

const errors: readonly Situation[] = [
  refusedIn(
    ["an error as vLLM wrote it, with status 200", null, bad, "the refusal"],
    openai(both({ object: "error", message: asks, type: "BadRequestError", code: 400 })),
  ),
  refusedIn(
    ["`base_resp` of MiniMax, with status 200", null, bad, "the refusal"],
    openai(
      both({
        choices: null,
        base_resp: {
          status_code: 2013,
          status_msg: "invalid params, context window exceeds limit",
        },
      }),
    ),
  ),
  refusedIn(
    ["`error_code` and `error_msg`, with status 200", null, bad, "the refusal"],
    openai(both({ error_code: 336007, error_msg: "prompt is too long" })),
  ),
  refusedIn(
    ["an `error` that is text, with status 200", null, "the refusal", "the refusal"],
    openai(both({ error: asks })),
  ),
  refusedIn(
    ["`detail` alone, with status 200", null, bad, "the refusal"],
    openai(both({ detail: asks })),
  ),
  refusedIn(
    ["an error in a choice", null, "an answer that is cut", "the refusal"],
    openai(
      chatAnswer({ content: "" }, "error", {
        choices: [
          {
            index: 0,
            message: { role: "assistant", content: "" },
            finish_reason: "error",
            error: { code: 400, message: asks },
          },
        ],
      }),
      {
        stream: raw(
          `data: {"choices":[{"index":0,"delta":{"content":""},"finish_reason":"error","error":{"code":400,"message":${JSON.stringify(asks)}}}]}\n\n`,
        ),
      },
    ),
  ),
  refusedIn(["an event `error` without a type", null, "the stream ends as failed", "the refusal"], {
    anthropic: {
      stream: raw(
        `event: error\ndata: {"error":{"type":"invalid_request_error","message":${JSON.stringify(asks)}}}\n\n`,
      ),
    },
  }),
];

const text = { type: "text", text: "hi" };

const others: readonly Situation[] = [
  word("FinishReason.STOP", null, "stop", "an answer that is cut"),
  word("COMPLETE", null, "stop", "an answer that is cut"),
  word("PROHIBITED_CONTENT", null, "filter", "an answer that is cut"),
  word("guardrail_intervened", null, "filter", "an answer that is cut"),
  {
    sent: "a whole message where a stream was asked for",
    ...{ thread: null, got: "502", right: "a stream of it" },
    upstream: { anthropic: { stream: messageAnswer([text]).plain ?? raw("") } },
    reads: says,
  },
  {
    sent: "a message stream without `message_stop`",
    ...{ thread: null, got: "the text", right: "the text" },
    upstream: {
      anthropic: {
        stream: raw(
          messageStart(messageUsage(100, 1)) +
            block(0, { type: "text", text: "" }, { type: "text_delta", text: "hi" }) +
            event("message_delta", {
              delta: { stop_reason: "end_turn" },
              usage: { output_tokens: 20 },
            }),
        ),
      },
    },
    reads: says,
  },
  ...["gzip", "identity, identity", "utf-8", "none"].map(
    (label): Situation => ({
      sent: `an answer labelled as encoded by \`${label}\`, which it is not`,
      ...{ thread: null, got: "502", right: "the answer" },
      upstream: openai({
        plain: raw(whole, { "content-type": "application/json", "content-encoding": label }),
        stream: raw(hi + stop + last + DONE, {
          "content-type": "text/event-stream",
          "content-encoding": label,
        }),
      }),
      reads: says,
    }),
  ),
];

export const furtherStreams: readonly Situation[] = [...events, ...errors, ...others];
