/** Tests that what an upstream wants back beside its calls comes back, whichever API the client speaks. */
import { expect, test } from "vitest";
import { plainText } from "@/testing/relay/whole-text";
import { messagesRequest } from "../contract/messages";
import { responsesRequest } from "../contract/responses";
import { isRecord } from "../values/records";
import { messagesDialect } from "./messages/messages-dialect";
import { responsesDialect } from "./responses/responses-dialect";
import type { JsonObject } from "./text-dialect";

const signed = (id: string, signature?: string, provider = "google") => ({
  ...{ id, type: "function", function: { name: "look", arguments: '{"at":1}' } },
  ...(signature === undefined
    ? {}
    : { extra_content: { [provider]: { thought_signature: signature } } }),
});
const calls = [signed("a", "s+/1="), signed("b"), signed("c", "s\n3", "vertex")];
const details = [
  { type: "reasoning.text", text: "Hm.", format: "f", index: 0, signature: "t" },
  { type: "reasoning.encrypted", data: "x+/=", id: "a", index: 1 },
];
const said = {
  ...{ role: "assistant", content: "I look.", reasoning_content: "Hm." },
  reasoning_details: details,
};
const answer = (message: object): JsonObject => ({
  choices: [{ index: 0, message, finish_reason: "tool_calls" }],
});
const detail = { type: "reasoning.text", format: "f", index: 0 };
const chunks = [
  { reasoning_content: "Hm.", reasoning_details: [{ ...detail, text: "H" }] },
  {
    reasoning_details: [
      { ...detail, text: "m.", signature: null },
      { ...detail, signature: "t" },
    ],
  },
  { reasoning_details: details.slice(1) },
  { content: "I look." },
  ...calls.map((call, index) => ({ tool_calls: [{ index, ...call }] })),
].map((delta) => ({ choices: [{ index: 0, delta, finish_reason: null }] }));
const ending = { usage: null, finishReason: "tool_calls" };

const context = {
  ...{ model: "RelayV1", operationHex: "0".repeat(32), requestId: "r", createdSeconds: 1 },
};
const tool = { name: "look", parameters: {} };
const messages = {
  ...{ model: "RelayV1", max_tokens: 10, messages: [{ role: "user" as const, content: "hi" }] },
  tools: [{ name: "look", input_schema: {} }],
};
const responses = {
  model: "RelayV1",
  input: "hi",
  tools: [{ type: "function" as const, ...tool }],
};

/** The blocks of a message, as a client puts them together. */
function blocksOf(events: readonly JsonObject[]): JsonObject[] {
  const blocks: JsonObject[] = [];
  for (const { type, content_block: begun, delta } of events) {
    if (type === "content_block_start" && isRecord(begun)) blocks.push({ ...begun });
    const last = blocks.at(-1);
    if (type !== "content_block_delta" || !isRecord(delta) || last === undefined) continue;
    for (const name of ["text", "thinking", "signature"])
      if (typeof delta[name] === "string") last[name] = `${last[name] ?? ""}${delta[name]}`;
    if (typeof delta.partial_json === "string") last.input = JSON.parse(delta.partial_json);
  }
  return blocks;
}

/** What the upstream gets in the next turn. */
function inMessages(content: unknown) {
  const all = [...messages.messages, { role: "assistant", content }];
  return messagesDialect.toChat(messagesRequest.parse({ ...messages, messages: all }));
}
function inResponses(output: unknown) {
  const items: unknown[] = Array.isArray(output) ? output : [];
  const input = [{ role: "user", content: "hi" }, ...items];
  return responsesDialect.toChat(responsesRequest.parse({ ...responses, input }));
}

test("in the Messages API it signs thinking before the calls, plain and streamed", () => {
  const request = messagesRequest.parse(messages);
  const { content } = messagesDialect.toAnswer(answer({ ...said, tool_calls: calls }), {
    ...context,
    request,
  });
  const stream = messagesDialect.openStream({ ...context, request });
  const streamed = [...chunks.flatMap((chunk) => stream.chunk(chunk)), ...stream.end(ending)];
  for (const blocks of [content, blocksOf(streamed)]) {
    const { body, ignored, ignoredInChat, native } = inMessages(blocks);
    expect(body.messages.at(-1)).toEqual({ ...said, tool_calls: calls });
    expect([ignored, ignoredInChat]).toEqual([[], []]);
    // An upstream of the Messages API has signed none of it.
    expect(native?.(plainText, "anthropic")?.text("up", 5)).not.toContain("relay.");
  }
});

test("in the Responses API it is the encrypted content of reasoning before the calls", () => {
  const request = responsesRequest.parse(responses);
  const { output } = responsesDialect.toAnswer(answer({ ...said, tool_calls: calls }), {
    ...context,
    request,
  });
  const stream = responsesDialect.openStream({ ...context, request });
  for (const chunk of chunks) stream.chunk(chunk);
  const last = stream.end(ending).at(-1)?.response;
  for (const items of [output, isRecord(last) ? last.output : null]) {
    const { body, ignored } = inResponses(items);
    expect(body.messages.at(-1)).toEqual({ ...said, tool_calls: calls });
    expect(ignored).toEqual([]);
  }
});

test("what is far too long is left out", () => {
  const long = "s".repeat(65_537);
  const reasoning_details = [{ type: "reasoning.encrypted", data: long }];
  const message = { ...said, reasoning_details, tool_calls: [signed("a", long)] };
  const request = messagesRequest.parse(messages);
  const { content } = messagesDialect.toAnswer(answer(message), { ...context, request });
  const { reasoning_details: _, ...rest } = { ...said, tool_calls: [signed("a")] };
  expect(inMessages(content).body.messages.at(-1)).toEqual(rest);
});
