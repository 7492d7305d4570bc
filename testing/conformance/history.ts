/** Conversations that go on: what a model thought, said and called comes back to it. */
import { isRecord } from "@/lib/values/records";
import { type Script, sendJson } from "../upstream/test-upstream";
import type { Form, PerDialect, Situation } from "./situation";
import { block, chatAnswer, chatStream, messageAnswer, messageStream, openai } from "./upstreams";

const user = { role: "user", content: "What is the weather in Oslo?" };
const THOUGHT = "I look it up.";
const input = { city: "Oslo" };
const called = { name: "get_weather", arguments: JSON.stringify(input) };
const use = { type: "tool_use", id: "c1", name: "get_weather", input };

/** The turn of a tool's result, after what a model of chat completions thought. */
export const goesOn = (signature: string): PerDialect<object> => ({
  chat: {
    messages: [
      user,
      {
        ...{ role: "assistant", content: null, reasoning_content: THOUGHT },
        tool_calls: [{ id: "c1", type: "function", function: called }],
      },
      { role: "tool", tool_call_id: "c1", content: "rain" },
    ],
  },
  messages: {
    messages: [
      user,
      { role: "assistant", content: [{ type: "thinking", thinking: THOUGHT, signature }, use] },
      { role: "user", content: [{ type: "tool_result", tool_use_id: "c1", content: "rain" }] },
    ],
  },
  responses: {
    input: [
      user,
      { type: "reasoning", summary: [{ type: "summary_text", text: THOUGHT }] },
      { type: "function_call", call_id: "c1", ...called },
      { type: "function_call_output", call_id: "c1", output: "rain" },
    ],
  },
});

const rain = { text: "rain", calls: [], end: "stop", error: null };
const saysRain = {
  ...chatStream([{ role: "assistant", content: "rain" }]),
  ...chatAnswer({ content: "rain" }),
};

/** The upstream answers only when it finds what it thought beside the call. */
const thinking: Situation["upstream"] = openai(saysRain);

function thoughtIn(body: Record<string, unknown>): unknown {
  const messages: unknown[] = Array.isArray(body.messages) ? body.messages : [];
  const said = messages.filter(isRecord).find(({ role }) => role === "assistant");
  return said?.reasoning_content;
}

function assertThought(seen: Parameters<NonNullable<Situation["check"]>>[0]): void {
  const thought = thoughtIn(seen.at(-1)?.body ?? {});
  if (thought !== THOUGHT) throw new Error(`the upstream got ${JSON.stringify(thought)}`);
}

const picture = "data:image/png;base64,AAAA";
const source = { type: "base64", media_type: "image/png", data: "AAAA" };
const image = { type: "image_url", image_url: { url: picture } };
const look = { name: "look", arguments: "{}" };
const lookUse = { type: "tool_use", id: "c1", name: "look", input: {} };

/** The turn of a tool's result that has a picture. */
const sees: PerDialect<object> = {
  chat: {
    messages: [
      user,
      {
        ...{ role: "assistant", content: null },
        tool_calls: [{ id: "c1", type: "function", function: look }],
      },
      { role: "tool", tool_call_id: "c1", content: [{ type: "text", text: "seen" }, image] },
    ],
  },
  messages: {
    messages: [
      user,
      { role: "assistant", content: [lookUse] },
      {
        role: "user",
        content: [
          {
            ...{ type: "tool_result", tool_use_id: "c1" },
            content: [
              { type: "text", text: "seen" },
              { type: "image", source },
            ],
          },
        ],
      },
    ],
  },
  responses: {
    input: [
      user,
      { type: "function_call", call_id: "c1", ...look },
      {
        ...{ type: "function_call_output", call_id: "c1" },
        output: [
          { type: "input_text", text: "seen" },
          { type: "input_image", image_url: picture },
        ],
      },
    ],
  },
};

const isTool = (message: unknown) => isRecord(message) && message.role === "tool";
const wrongPlace =
  "Invalid 'messages[2]'. Image URLs are only allowed for messages with role 'user', but this message with role 'tool' contains an image URL.";

/** An upstream that reads pictures of the user's alone. */
const onlyUsers =
  (form: Form): Script =>
  (response, request, count) => {
    const { messages } = request.body;
    const results = Array.isArray(messages) ? messages.filter(isTool) : [];
    return JSON.stringify(results).includes("image_url")
      ? sendJson(response, JSON.stringify({ error: { message: wrongPlace } }), 400)
      : saysRain[form]?.(response, request, count);
  };

const pictures: Situation = {
  sent: "a refusal of a picture in a tool's result",
  thread: "OpenHands/OpenHands#7700",
  got: "chat, Responses: 400 for every turn from then on",
  right: "the picture follows the results, as the user's",
  upstream: { openai: { plain: onlyUsers("plain"), stream: onlyUsers("stream") } },
  asks: sees,
  reads: rain,
  check: (seen) => {
    const { messages } = seen.at(-1)?.body ?? {};
    const last: unknown = Array.isArray(messages) ? messages.at(-1) : null;
    if (JSON.stringify(last) !== JSON.stringify({ role: "user", content: [image] }))
      throw new Error(`the upstream got ${JSON.stringify(last)}`);
  },
};

export const history: readonly Situation[] = [
  pictures,
  {
    sent: "thinking and a call, and then an answer to the tool's result only if both come back",
    thread: "QuantumNous/new-api#4408",
    got: "in the Messages API 400 from upstreams in thinking mode: the thinking was dropped",
    right: "the thinking comes back beside the call, in every dialect",
    upstream: thinking,
    asks: goesOn("relay"),
    reads: rain,
    check: assertThought,
  },
  {
    sent: "an answer to a conversation in which another provider's model had thought",
    got: "the thinking was dropped and not named",
    right: "its text comes along",
    upstream: openai(saysRain),
    asks: goesOn("of another provider"),
    reads: rain,
    check: assertThought,
  },
  {
    sent: "400 for thinking that it has not signed, and else an answer",
    thread: "tombii/better-ccflare#52",
    got: "400: thinking that we had issued went to an upstream of the Messages API unsigned",
    right: "unsigned thinking is left out, and named",
    upstream: {
      anthropic: {
        ...messageStream([
          block(0, { type: "text", text: "" }, { type: "text_delta", text: "rain" }),
        ]),
        ...messageAnswer([{ type: "text", text: "rain" }]),
      },
    },
    asks: goesOn("relay"),
    reads: rain,
    check: (seen) => {
      const { messages } = seen.at(-1)?.body ?? {};
      if (JSON.stringify(messages).includes("thinking")) throw new Error("thinking was sent");
    },
  },
];
