/** What an upstream wants back beside its calls, and how each dialect carries it. */
import { expect } from "vitest";
import type { PerDialect, Situation } from "./situation";
import { chatAnswer, chatStream, openai } from "./upstreams";

const user = { role: "user", content: "hello" };
const called = { name: "get_time", arguments: "{}" };

/** A turn after a call. `carried`: what clients of other APIs send; chat has it in the call or the message. */
const turn = (carried: string, ofCall: object, ofMessage: object): PerDialect<object> => ({
  chat: {
    messages: [
      user,
      {
        ...{ role: "assistant", content: null, ...ofMessage },
        tool_calls: [{ id: "c1", type: "function", function: called, ...ofCall }],
      },
      { role: "tool", tool_call_id: "c1", content: "noon" },
    ],
  },
  messages: {
    messages: [
      user,
      {
        role: "assistant",
        content: [
          { type: "thinking", thinking: "", signature: carried },
          { type: "tool_use", id: "c1", name: "get_time", input: {} },
        ],
      },
      { role: "user", content: [{ type: "tool_result", tool_use_id: "c1", content: "noon" }] },
    ],
  },
  responses: {
    input: [
      user,
      { type: "reasoning", summary: [], encrypted_content: carried },
      { type: "function_call", call_id: "c1", ...called },
      { type: "function_call_output", call_id: "c1", output: "noon" },
    ],
  },
});

const signatureOf = (provider: string) => ({
  extra_content: { [provider]: { thought_signature: "ab+/=" } },
});
const details = { reasoning_details: [{ type: "reasoning.encrypted", data: "x", id: "c1" }] };

export const signedCall = turn("relay.google.ab+/=", signatureOf("google"), {});

const comesBack = (
  sent: string,
  thread: string,
  asks: PerDialect<object>,
  members: object,
): Situation => ({
  ...{ sent: `an answer to a turn after a call with ${sent}`, thread, asks },
  got: "Messages, Responses: 400 for every turn after a call",
  right: "it comes back, in every dialect",
  upstream: openai(
    chatStream([{ role: "assistant", content: "hi" }]),
    chatAnswer({ content: "hi" }),
  ),
  reads: { text: "hi", calls: [], end: "stop", error: null },
  check: (seen) => expect(seen.at(-1)?.text).toContain(JSON.stringify(members).slice(1, -1)),
});

export const carried: readonly Situation[] = [
  comesBack("Gemini's signature", "HKUDS/nanobot#2453", signedCall, signatureOf("google")),
  comesBack(
    "the signature of Vertex",
    "earendil-works/pi#6733",
    turn("relay.vertex.ab+/=", signatureOf("vertex"), {}),
    signatureOf("vertex"),
  ),
  comesBack(
    "OpenRouter's details of thinking",
    "karthink/gptel#1190",
    turn(`relay.details.${JSON.stringify(details.reasoning_details)}`, {}, details),
    details,
  ),
];
