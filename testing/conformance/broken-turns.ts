/** Conversations in which calls and results do not fit together, as interrupted clients send them. */
import { expect } from "vitest";
import { isRecord, listOf } from "@/lib/values/records";
import type { PerDialect, Situation, Spoken } from "./situation";
import { block, chatAnswer, chatStream, messageAnswer, messageStream, openai } from "./upstreams";

const got = "400 for every turn from then on";
const both: Situation["upstream"] = {
  ...openai(chatStream([{ role: "assistant", content: "hi" }]), chatAnswer({ content: "hi" })),
  anthropic: {
    ...messageStream([block(0, { type: "text", text: "" }, { type: "text_delta", text: "hi" })]),
    ...messageAnswer([{ type: "text", text: "hi" }]),
  },
};
const user = { role: "user", content: "hello" };

/** A step of a conversation: what the user or the model says, calls by their ids, or a result. */
type Step =
  | { readonly says: "user" | "assistant"; readonly text: string }
  | { readonly calls: readonly string[] }
  | { readonly result: string; readonly text: string };

const asksFor = (text: string): Step => ({ says: "user", text });
const calls = (...ids: string[]): Step => ({ calls: ids });
const result = (id: string, text: string): Step => ({ result: id, text });

function chatMessage(step: Step): object {
  if ("says" in step) return { role: step.says, content: step.text };
  if ("result" in step) return { role: "tool", tool_call_id: step.result, content: step.text };
  const called = { name: "get_time", arguments: "{}" };
  const all = step.calls.map((id) => ({ id, type: "function", function: called }));
  return { role: "assistant", content: null, tool_calls: all };
}

function nativeMessage(step: Step): object {
  if ("says" in step) return { role: step.says, content: step.text };
  if ("result" in step) {
    const block = { type: "tool_result", tool_use_id: step.result, content: step.text };
    return { role: "user", content: [block] };
  }
  const content = step.calls.map((id) => ({ type: "tool_use", id, name: "get_time", input: {} }));
  return { role: "assistant", content };
}

function items(step: Step): object[] {
  if ("says" in step) return [{ role: step.says, content: step.text }];
  if ("result" in step)
    return [{ type: "function_call_output", call_id: step.result, output: step.text }];
  return step.calls.map((id) => ({
    ...{ type: "function_call", call_id: id, name: "get_time", arguments: "{}" },
  }));
}

const inEach = (...steps: Step[]): PerDialect<object> => ({
  chat: { messages: [user, ...steps.map(chatMessage)] },
  messages: { messages: [user, ...steps.map(nativeMessage)] },
  responses: { input: [user, ...steps.flatMap(items)] },
});

const texts = (content: unknown): string =>
  typeof content === "string"
    ? content
    : listOf(content)
        .map((part) => (isRecord(part) ? (part.text ?? texts(part.content)) : ""))
        .join("");

/** The steps that came upstream, in its own API: `role`, `call:id` and `id=result`. */
function stepsOf(body: Record<string, unknown>): string[] {
  return listOf(body.messages).flatMap((message) => {
    if (!isRecord(message)) return [];
    const { role, content, tool_calls: called, tool_call_id: id } = message;
    if (role === "tool") return [`${id}=${texts(content)}`];
    const blocks = (Array.isArray(content) ? content : []).filter(isRecord);
    const ids = [...listOf(called), ...blocks.filter(({ type }) => type === "tool_use")];
    const results = blocks.filter(({ type }) => type === "tool_result");
    const others = texts(blocks.length > 0 ? blocks.filter(({ text }) => text) : content);
    return [
      ...results.map((one) => `${one.tool_use_id}=${texts(one.content)}`),
      ...(others === "" ? [] : [`${role}:${others}`]),
      ...ids.map((one) => `call:${isRecord(one) ? one.id : ""}`),
    ];
  });
}

const mended = (
  [sent, thread, right]: readonly [sent: string, thread: string, right: string],
  asks: PerDialect<object>,
  steps: readonly string[],
): Situation => ({
  ...{ sent: `an answer to ${sent}`, thread, got, right, upstream: both, asks },
  reads: { text: "hi", calls: [], end: "stop", error: null },
  check: (seen, _spoken: Spoken) =>
    expect(stepsOf(seen.at(-1)?.body ?? {})).toEqual(["user:hello", ...steps]),
});

const GONE = "No result: the call was interrupted.";

export const brokenTurns: readonly Situation[] = [
  mended(
    ["a call that was interrupted", "charmbracelet/crush#529", "a result that says so"],
    inEach(calls("c1", "c2"), result("c1", "noon"), asksFor("go on")),
    ["call:c1", "call:c2", "c1=noon", `c2=${GONE}`, "user:go on"],
  ),
  mended(
    [
      "a result whose call is not in the conversation",
      "n8n-io/n8n#34166",
      "what it says, as the user's",
    ],
    inEach({ says: "assistant", text: "It is noon." }, result("c1", "noon")),
    ["assistant:It is noon.", "user:The result of an earlier tool call:\nnoon"],
  ),
  mended(
    [
      "what the user says between two results",
      "pydantic/pydantic-ai#2360",
      "both results, and then what the user says",
    ],
    inEach(calls("c1", "c2"), result("c1", "noon"), asksFor("look"), result("c2", "rain")),
    ["call:c1", "call:c2", "c1=noon", "c2=rain", "user:look"],
  ),
  mended(
    [
      "an id of a call that comes again in a later turn",
      "fw-ai/fireconnect#16",
      "another id for the later call and its result",
    ],
    inEach(calls("f_0"), result("f_0", "noon"), calls("f_0"), result("f_0", "rain")),
    ["call:f_0", "f_0=noon", "call:f_0_2", "f_0_2=rain"],
  ),
];
