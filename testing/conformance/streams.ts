/** Answers of text that come in unusual chunks, under unusual types, and with unusual counts. */
import { chunk, completion, sendJson, usageChunk, usageOf } from "../upstream/test-upstream";
import type { Situation, Words } from "./situation";
import { unaskedStreams } from "./unasked-streams";
import {
  block,
  chatAnswer,
  chatStream,
  DONE,
  messageAnswer,
  messageStream,
  openai,
  raw,
  usage,
} from "./upstreams";

const says = (text: string) => ({ text, calls: [], end: "stop", error: null });
const hi = chunk({ role: "assistant", content: "hi" });
const stop = chunk({}, {}, "stop");
const last = usageChunk(usage) + DONE;
const type = { "content-type": "text/event-stream" };

/** A stream of this text, which says "hi". */
export const streamed = (
  [sent, thread, got, right]: Words,
  text: string,
  headers: Record<string, string> = type,
): Situation => ({
  ...{ sent, thread, got, right, reads: says("hi") },
  upstream: { openai: { stream: raw(text, headers) } },
});

const choice = (members: object) => chunk({}, { choices: [{ index: 0, ...members }] });
const failed = "the stream ends as failed";
const passed = "chat: as it was sent, and the library fails";

const chunks: readonly Situation[] = [
  streamed(
    [
      "`delta: null` with the finish reason",
      "microsoft/agent-framework#5734",
      "chat: as it was sent",
      "the text",
    ],
    hi + choice({ delta: null, finish_reason: "stop" }) + last,
  ),
  streamed(
    ["a choice without a delta", "QwenLM/qwen-code#1448", "chat: as it was sent", "the text"],
    choice({ finish_reason: null }) + hi + choice({ finish_reason: "stop" }) + last,
  ),
  streamed(
    ["`choices: null`", "RooCodeInc/Roo-Code#9105", "the text", "the text"],
    hi + chunk({}, { choices: null }) + stop + last,
  ),
  streamed(
    ["a first chunk without choices", "grafana/grafana-llm-app#790", "the text", "the text"],
    chunk({}, { choices: [], id: "", model: "", created: 0 }) + hi + stop + last,
  ),
  streamed(
    ["`data: null` between chunks", "Kilo-Org/kilocode#3083", failed, "the text"],
    `${hi}data: null\n\n${stop}${last}`,
  ),
  streamed(
    [
      "`data:` with nothing after it, to keep alive",
      "netease-lcap/wave-agent#1326",
      failed,
      "the text",
    ],
    `data:\n\n${hi}data: \n\n${stop}${last}`,
  ),
  streamed(
    ["comments to keep alive", "mistralai/mistral-vibe#774", "the text", "the text"],
    `: PROCESSING\n\n:\n${hi}: PROCESSING\n\n${stop}${last}`,
  ),
  streamed(
    ["comments as data", "mnfst/llm-gateway#2053", failed, "the text"],
    `data: : PROCESSING\n\n${hi}${stop}${last}`,
  ),
  streamed(
    [
      "CRLF, `data:` without a space, and ids of events",
      "openai/openai-python#2722",
      "the text",
      "the text",
    ],
    (hi + stop + last).replaceAll("data: ", "id: 7\ndata:").replaceAll("\n", "\r\n"),
  ),
  streamed(
    ["a byte order mark at the beginning", "elizaOS/eliza#19260", "the text", "the text"],
    `\ufeff${hi}${stop}${last}`,
  ),
  streamed(
    ['`role: ""`', "anomalyco/opencode#28427", passed, "the text"],
    chunk({ role: "", content: "hi" }) + chunk({ role: "" }) + stop + last,
  ),
  streamed(
    ["`role: null`, and no role at all", "mistralai/mistral-vibe#795", passed, "the text"],
    chunk({ role: null, content: "h" }) + chunk({ content: "i" }) + stop + last,
  ),
  streamed(
    ['`finish_reason: ""` in each chunk', "ollama/ollama#4357", "the text", "the text"],
    chunk({ role: "assistant", content: "hi" }, {}, "") + stop + last,
  ),
  streamed(
    ["the last chunk twice", "RayBytes/ChatMock#114", "chat: two finish reasons", "one"],
    hi + stop + stop + last,
  ),
  streamed(
    ["the last chunk twice, with text", null, "the text twice", "the text"],
    chunk({ role: "assistant", content: "hi" }, {}, "stop").repeat(2) + last,
  ),
  streamed(
    [
      "a finish reason in each chunk",
      "BerriAI/litellm#27139",
      "chat: two finish reasons",
      "the text",
    ],
    chunk({ role: "assistant", content: "h" }, {}, "stop") +
      chunk({ content: "i" }, {}, "stop") +
      last,
  ),
  streamed(
    ["`created` as text, and another `object`", "sgl-project/mini-sglang#126", passed, "the text"],
    chunk({ content: "hi" }, { created: "1", object: "text_completion.chunk" }) + stop + last,
  ),
];

const labels: readonly (readonly [string, string | null, Record<string, string>])[] = [
  ["`text/plain`", "containers/ramalama#2902", { "content-type": "text/plain" }],
  ["`application/json`", "microsoft/foundry-dev-tools#195", { "content-type": "application/json" }],
  [
    "`application/x-ndjson`",
    "Lightning-AI/LitServe#359",
    { "content-type": "application/x-ndjson" },
  ],
  ["`application/octet-stream`", null, { "content-type": "application/octet-stream" }],
  ["no type", null, {}],
];
const types = labels.map(([label, thread, headers]) =>
  streamed([`a stream labelled ${label}`, thread, "502", "the text"], hi + stop + last, headers),
);

const counts: readonly Situation[] = [
  streamed(
    ["usage before the finish reason", "agentjido/req_llm#781", "the text", "the text, charged"],
    hi + usageChunk(usage) + stop + DONE,
  ),
  streamed(
    ["usage with the finish reason", "odysseus-dev/odysseus#1703", "the text", "the text, charged"],
    hi + chunk({ role: "assistant", content: null }, { usage }, "stop") + DONE,
  ),
  streamed(
    [
      "usage of zero in each chunk before",
      "router-for-me/CLIProxyAPI#3077",
      "charged by the last",
      "charged by the last",
    ],
    chunk({ content: "hi" }, { usage: usageOf(0, 0) }) + stop + last,
  ),
  streamed(
    [
      "usage that grows in each chunk",
      "ogx-ai/ogx#5122",
      "charged by the last",
      "charged by the last",
    ],
    chunk({ content: "hi" }, { usage: usageOf(100, 1) }) + chunk({}, { usage }, "stop") + DONE,
  ),
  streamed(
    ["`usage: null` in the other chunks", "Portkey-AI/gateway#1727", "charged", "charged"],
    chunk({ content: "hi" }, { usage: null }) + chunk({}, { usage: null }, "stop") + last,
  ),
  streamed(
    ["two usage chunks", null, "charged by the last", "charged by the last"],
    hi + stop + usageChunk(usageOf(100, 3)) + last,
  ),
];

/** How an upstream's last word is read, plain and streamed. */
export const word = (
  finish: string | null,
  thread: string | null,
  end: "stop" | "length" | "filter" | "calls",
  got = "a whole answer",
): Situation => ({
  sent: `\`finish_reason: ${JSON.stringify(finish)}\` at the end`,
  ...{ thread, got, right: end === "length" ? "an answer that is cut, charged" : `\`${end}\`` },
  upstream: openai(
    chatStream([{ role: "assistant", content: "hi" }], finish),
    chatAnswer({ content: "hi" }, finish),
  ),
  reads: { text: "hi", calls: [], end, error: null },
});

const words: readonly Situation[] = [
  word(null, "CherryHQ/cherry-studio#19793", "length", "a whole answer; chat: the library fails"),
  word("", "ollama/ollama#4357", "length"),
  word("network_error", "theopenco/llmgateway#1588", "length"),
  word("abort", "theopenco/llmgateway#1701", "length"),
  word("error", "openclaw/openclaw#109313", "length"),
  word("MALFORMED_FUNCTION_CALL", "agentjido/req_llm#935", "length"),
  word("insufficient_system_resource", null, "length"),
  word("MAX_TOKENS", null, "length"),
  word("STOP", "BerriAI/litellm#27139", "stop"),
  word("end_turn", "theopenco/llmgateway#1701", "stop", "chat: another word"),
  word("eos", null, "stop", "chat: another word"),
  word("SAFETY", "agentjido/req_llm#935", "filter"),
];

const stopped = (reason: unknown, thread: string | null, end: string): Situation => ({
  sent: `\`stop_reason: ${JSON.stringify(reason)}\` at the end`,
  ...{ thread, got: "a whole answer", right: "an answer that is cut, charged" },
  upstream: {
    anthropic: {
      ...messageStream(
        [block(0, { type: "text", text: "" }, { type: "text_delta", text: "hi" })],
        reason,
      ),
      ...messageAnswer([{ type: "text", text: "hi" }], reason),
    },
  },
  reads: { text: "hi", calls: [], end, error: null },
});

const parts = [
  { type: "thinking", thinking: [{ type: "text", text: "hm" }] },
  { type: "text", text: "hi" },
  { type: "reference", reference_ids: [1] },
];

const forms: readonly Situation[] = [
  {
    sent: "content as a list of parts, thinking among them",
    thread: "vercel/ai#13703",
    got: passed,
    right: "the text and the thinking",
    upstream: openai(chatStream([{ content: parts }]), chatAnswer({ content: parts })),
    reads: { ...says("hi"), thought: "hm" },
  },
  {
    sent: "a whole answer where a stream was asked for",
    thread: "earendil-works/pi#1125",
    got: "502",
    right: "a stream of it",
    upstream: {
      openai: { stream: (response) => sendJson(response, completion("hi", { usage })) },
    },
    reads: says("hi"),
  },
  {
    sent: "an ordinary text",
    got: "the text",
    right: "the text",
    upstream: {
      openai: { ...chatStream([{ content: "hi" }]), ...chatAnswer({ content: "hi" }) },
      anthropic: {
        ...messageStream([
          block(0, { type: "text", text: "" }, { type: "text_delta", text: "hi" }),
        ]),
        ...messageAnswer([{ type: "text", text: "hi" }]),
      },
    },
    reads: says("hi"),
  },
];

export const streams: readonly Situation[] = [
  ...chunks,
  ...types,
  ...forms,
  ...unaskedStreams,
  ...counts,
  ...words,
  stopped(null, null, "length"),
  stopped("of_tomorrow", null, "length"),
  stopped("model_context_window_exceeded", null, "length"),
];
