/** Calls of tools, in the forms in which upstreams write them. */
import { called, calls, inOne, OSLO, oslo, ROME, rome } from "./call-words";
import type { Situation } from "./situation";
import { block, messageAnswer, messageStream } from "./upstreams";

const time = called("get_time", {});
const one = (id: unknown, name: unknown, text: unknown, members: object = {}) => ({
  ...{ id, type: "function", function: { name, arguments: text } },
  ...members,
});
const raw = "chat: as it was sent, and the library fails";

const whole: readonly Situation[] = [
  inOne(
    ["arguments as an object", "ggml-org/llama.cpp#20198", raw, "the call"],
    { content: null, tool_calls: [one("a1", "get_weather", { city: "Oslo" })] },
    calls(oslo),
  ),
  inOne(
    [
      '`arguments: ""` of a call without arguments',
      "openai/openai-agents-js#664",
      "as it was sent",
      "`{}`",
    ],
    { content: null, tool_calls: [one("a1", "get_time", "")] },
    calls(time),
  ),
  inOne(
    ["`arguments: null`", "1jehuang/jcode#225", raw, "`{}`"],
    { content: null, tool_calls: [one("a1", "get_time", null)] },
    calls(time),
  ),
  inOne(
    ['`arguments: "null"`', "1jehuang/jcode#225", "`null` as its input", "`{}`"],
    { content: null, tool_calls: [one("a1", "get_time", "null")] },
    calls(time),
  ),
  inOne(
    ["arguments that are encoded twice", null, "a text as its input", "the call"],
    { content: null, tool_calls: [one("a1", "get_weather", JSON.stringify(OSLO))] },
    calls(oslo),
  ),
  inOne(
    ["a raw line end in an argument", "mastra-ai/mastra#14200", "broken JSON", "the line end"],
    { content: null, tool_calls: [one("a1", "get_weather", '{"city":"Os\nlo"}')] },
    calls(called("get_weather", { city: "Os\nlo" })),
  ),
  inOne(
    ["words behind the arguments", "mastra-ai/mastra#14200", "broken JSON", "the call"],
    { content: null, tool_calls: [one("a1", "get_weather", `${OSLO}<|endoftext|>`)] },
    calls(oslo),
  ),
  inOne(
    [
      "arguments that are no JSON",
      "brightwave-inc/tidebreak#1129",
      "broken JSON",
      "a member that the tool refuses",
    ],
    { content: null, tool_calls: [one("a1", "get_weather", "Oslo")] },
    calls(called("get_weather", { invalid_json: "Oslo" })),
  ),
  inOne(
    ["`stop` as the end of a call", "BerriAI/litellm#12862", "chat: `stop`", "`tool_calls`"],
    { content: null, tool_calls: [one("a1", "get_weather", OSLO)] },
    calls(oslo),
    "stop",
  ),
  inOne(
    ["calls with empty ids and no index", "vercel/ai#6663", raw, "ids of ours"],
    { tool_calls: [one("", "get_weather", OSLO), one("", "get_weather", ROME)] },
    calls(oslo, rome),
  ),
  inOne(
    ["the older form of a call", null, "Messages, Responses: no call", "the call"],
    { content: null, function_call: { name: "get_weather", arguments: OSLO } },
    calls(oslo),
    "function_call",
  ),
];

const flat: Situation = inOne(
  ["name and arguments without `function`", "OpenBMB/PilotDeck#85", raw, "the call"],
  { content: null, tool_calls: [{ id: "a1", name: "get_weather", arguments: OSLO }] },
  calls(oslo),
);

const use = { type: "tool_use", id: "t1", name: "get_weather", input: {} };
const json = (text: unknown) => ({ type: "input_json_delta", partial_json: text });

const ofMessages: readonly Situation[] = [
  {
    sent: "a call, and one without an input",
    thread: "strands-agents/sdk-typescript#287",
    got: "the calls",
    right: "the calls",
    upstream: {
      anthropic: {
        ...messageStream(
          [block(0, use, json(""), json(OSLO)), block(1, { ...use, id: "t2", name: "get_time" })],
          "tool_use",
        ),
        ...messageAnswer(
          [
            { ...use, input: oslo.input },
            { ...use, id: "t2", name: "get_time" },
          ],
          "tool_use",
        ),
      },
    },
    reads: calls(oslo, time),
  },
  {
    sent: "the whole input at the beginning of its block",
    got: "the call",
    right: "the call",
    upstream: { anthropic: messageStream([block(0, { ...use, input: oslo.input })], "tool_use") },
    reads: calls(oslo),
  },
  {
    sent: "`partial_json: null`, an empty id, and an event without a type",
    got: "Messages: `null` in the input; others: failed",
    right: "the call",
    upstream: {
      anthropic: messageStream(
        ["data: {}\n\n", block(0, { ...use, id: "" }, json(null), json(OSLO))],
        "tool_use",
      ),
    },
    reads: calls(oslo),
  },
  {
    sent: "an input that is cut, with `tool_use` as its end",
    got: "a whole answer",
    right: "an answer that is cut",
    upstream: { anthropic: messageStream([block(0, use, json('{"city":"Os'))], "tool_use") },
    reads: { end: "length" },
  },
  {
    sent: "text before a call, thinking before that",
    got: "the same",
    right: "the same",
    upstream: {
      anthropic: messageStream(
        [
          block(0, { type: "thinking", thinking: "" }, { type: "thinking_delta", thinking: "hm" }),
          block(1, { type: "text", text: "" }, { type: "text_delta", text: "hi" }),
          block(2, use, json(OSLO)),
        ],
        "tool_use",
      ),
    },
    reads: { ...calls(oslo), text: "hi", thought: "hm" },
  },
];

export const callForms: readonly Situation[] = [...whole, flat, ...ofMessages];
