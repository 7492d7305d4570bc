/**
 * Conversations that chat and the Messages API can both express, generated: they must survive the
 * way from one to the other and back.
 */
import fc from "fast-check";
import { expect, test } from "vitest";
import {
  assistantMessage,
  call,
  said,
  tool,
  toolTurn,
  userMessage,
} from "@/testing/bodies/conversations";
import { chatRequest } from "../../contract/chat";
import { messagesRequest, messagesResponse } from "../../contract/messages";
import { isRecord } from "../../values/records";
import type { DialectEvent, JsonObject } from "../text-dialect";
import { messagesDialect } from "./messages-dialect";

const conversation = fc
  .record({
    system: fc.option(said),
    turns: fc.array(fc.oneof(userMessage, assistantMessage, toolTurn), {
      minLength: 1,
      maxLength: 6,
    }),
    tools: fc.array(tool, { maxLength: 3 }),
    max_tokens: fc.integer({ min: 1, max: 100_000 }),
    stop: fc.array(said, { maxLength: 3 }),
    temperature: fc.option(fc.double({ min: 0, max: 1, noNaN: true }), { nil: undefined }),
    stream: fc.boolean(),
  })
  .map(({ system, turns, tools, stop, temperature, stream, ...rest }) => ({
    model: "RelayV1",
    ...rest,
    messages: [...(system === null ? [] : [{ role: "system", content: system }]), ...turns.flat()],
    ...(tools.length > 0 ? { tools } : {}),
    ...(stop.length > 0 ? { stop } : {}),
    ...(temperature === undefined ? {} : { temperature }),
    ...(stream ? { stream } : {}),
  }));

function blockOf(part: JsonObject): object {
  if (part.type === "text") return part;
  const { url } = part.image_url as { url: string };
  const encoded = /^data:(.*);base64,(.*)$/.exec(url);
  const source = encoded
    ? { type: "base64", media_type: encoded[1], data: encoded[2] }
    : { type: "url", url };
  return { type: "image", source };
}

const blocksOf = (content: unknown): object[] =>
  typeof content === "string"
    ? [{ type: "text", text: content }]
    : (content as JsonObject[]).map(blockOf);

/** The messages of a chat request, as a client of the Messages API would send them. */
function messagesOf(chat: readonly JsonObject[]): object[] {
  const sent: { role: string; content: object[] }[] = [];
  for (const message of chat) {
    const last = sent.at(-1);
    if (message.role === "tool") {
      const result = {
        type: "tool_result",
        tool_use_id: message.tool_call_id,
        content: message.content,
      };
      if (
        last?.role === "user" &&
        last.content.every((block) => isRecord(block) && block.type === "tool_result")
      )
        last.content.push(result);
      else sent.push({ role: "user", content: [result] });
      continue;
    }
    const calls = (message.tool_calls ?? []) as { id: string; function: JsonObject }[];
    const uses = calls.map(({ id, function: called }) => ({
      type: "tool_use",
      id,
      name: called.name,
      input: JSON.parse(String(called.arguments)),
    }));
    const content = [...(message.content === null ? [] : blocksOf(message.content)), ...uses];
    sent.push({ role: String(message.role), content });
  }
  return sent;
}

test("a conversation goes from chat to the Messages API and back unchanged", () => {
  fc.assert(
    fc.property(conversation, (chat) => {
      expect(chatRequest.safeParse(chat).error).toBeUndefined();
      const [first, ...others] = chat.messages as JsonObject[];
      const isSystem = first?.role === "system";
      const { stop, tools, ...rest } = chat;
      const request = messagesRequest.parse({
        ...rest,
        messages: messagesOf(isSystem ? others : (chat.messages as JsonObject[])),
        ...(isSystem ? { system: first.content } : {}),
        ...(stop ? { stop_sequences: stop } : {}),
        ...(tools
          ? {
              tools: tools.map(({ function: { parameters, ...definition } }) => ({
                ...definition,
                input_schema: parameters,
              })),
            }
          : {}),
      });
      const { body, ignored } = messagesDialect.toChat(request);
      expect(body).toEqual(chat);
      expect(ignored).toEqual([]);
    }),
    { numRuns: 500 },
  );
});

const request = messagesRequest.parse({
  model: "RelayV1",
  max_tokens: 10,
  messages: [{ role: "user", content: "hi" }],
});
const context = {
  request,
  model: "RelayV1",
  operationHex: "0".repeat(32),
  requestId: "req_1",
  createdSeconds: 1,
};

const answer = fc.record({
  reasoning: fc.option(said),
  text: fc.option(said),
  calls: fc.array(call, { maxLength: 3 }),
  finish_reason: fc.constantFrom("stop", "length", "tool_calls", "content_filter"),
  usage: fc.record({
    prompt_tokens: fc.nat(),
    completion_tokens: fc.nat(),
    prompt_tokens_details: fc.record({ cached_tokens: fc.nat() }),
  }),
});
const cut = (text: string, size: number): string[] =>
  text.match(new RegExp(`[^]{1,${size}}`, "g")) ?? [];

/** The message that a client has when it has read the events. */
function assembled(events: readonly DialectEvent[]): JsonObject {
  const message: JsonObject = { content: [] };
  const content: JsonObject[] = [];
  for (const event of events) {
    const at = content[Number(event.index)];
    if (event.type === "message_start") Object.assign(message, event.message);
    else if (event.type === "content_block_start")
      content.push({ ...(event.content_block as object) });
    else if (event.type === "content_block_delta" && at) {
      const delta = event.delta as Record<string, string>;
      const names: Record<string, string> = {
        text_delta: "text",
        thinking_delta: "thinking",
        signature_delta: "signature",
        input_json_delta: "json",
      };
      const name = names[String(delta.type)] ?? "";
      at[name] = `${at[name] ?? ""}${delta[name] ?? delta.partial_json}`;
    } else if (event.type === "message_delta")
      Object.assign(message, event.delta, { usage: event.usage });
  }
  const whole = content.map(({ json: written, ...block }) =>
    block.type === "tool_use" ? { ...block, input: JSON.parse(String(written ?? "{}")) } : block,
  );
  return { ...message, content: whole };
}

test("an answer is the same whole and streamed, however it is cut into chunks", () => {
  fc.assert(
    fc.property(
      answer,
      fc.integer({ min: 1, max: 9 }),
      ({ calls, finish_reason, usage, ...parts }, size) => {
        const tool_calls = calls.map(({ id, name: called, input }, index) => ({
          index,
          id,
          function: { name: called, arguments: JSON.stringify(input) },
        }));
        const message = {
          reasoning_content: parts.reasoning,
          content: parts.text,
          ...(calls.length > 0 ? { tool_calls } : {}),
        };
        const plain = messagesDialect.toAnswer(
          { choices: [{ message, finish_reason }], usage },
          context,
        );
        expect(messagesResponse.safeParse(plain).error).toBeUndefined();
        const stream = messagesDialect.openStream(context);
        const chunks = [
          ...cut(parts.reasoning ?? "", size).map((reasoning_content) => ({ reasoning_content })),
          ...cut(parts.text ?? "", size).map((content) => ({ content })),
          ...tool_calls.flatMap(({ function: { name: called, arguments: text }, ...first }) => [
            { tool_calls: [{ ...first, function: { name: called, arguments: "" } }] },
            ...cut(text, size).map((piece) => ({
              tool_calls: [{ index: first.index, function: { arguments: piece } }],
            })),
          ]),
        ];
        const events = [
          ...chunks.flatMap((delta) => stream.chunk({ choices: [{ index: 0, delta }] })),
          ...stream.end({ usage, finishReason: finish_reason }),
        ];
        expect(assembled(events)).toEqual(plain);
      },
    ),
    { numRuns: 500 },
  );
});

test("no chunk of an upstream can make the stream throw, and every event has a name", () => {
  fc.assert(
    fc.property(fc.array(fc.jsonValue(), { maxLength: 20 }), fc.jsonValue(), (deltas, usage) => {
      const stream = messagesDialect.openStream(context);
      const events = deltas.flatMap((delta) => stream.chunk({ choices: [{ delta }, delta] }));
      events.push(...stream.end({ usage: isRecord(usage) ? usage : null, finishReason: null }));
      expect(events[0]?.type).toBe("message_start");
      expect(events.at(-1)?.type).toBe("message_stop");
    }),
  );
});
