/** The playground's chat says the same in every API: what each dialect reads of it is the chat. */
import fc from "fast-check";
import { expect, test } from "vitest";
import { messagesRequest } from "../contract/messages";
import { responsesRequest } from "../contract/responses";
import { messagesDialect } from "../dialects/messages/messages-dialect";
import { responsesDialect } from "../dialects/responses/responses-dialect";
import type { ChatSent } from "./chat-stream";
import { messagesBody, responsesBody } from "./text-bodies";

const words = fc.string({ minLength: 1, maxLength: 20, unit: "grapheme" });
const image = fc
  .constantFrom("https://example.org/a.png", "data:image/png;base64,AAAA")
  .map((url) => ({ type: "image_url" as const, image_url: { url } }));
const text = words.map((said) => ({ type: "text" as const, text: said }));
const question = fc.record({
  role: fc.constant("user" as const),
  content: fc.oneof(words, fc.tuple(text, image)),
});
const answer = fc.record({ role: fc.constant("assistant" as const), content: words });
const tool = words.map((description) => ({
  type: "function",
  function: { name: "weather", description, parameters: { type: "object", properties: {} } },
}));
const chats: fc.Arbitrary<ChatSent> = fc
  .record({
    system: fc.option(words),
    turns: fc.array(fc.tuple(question, answer), { maxLength: 3 }),
    last: question,
    max_tokens: fc.integer({ min: 1, max: 1000 }),
    temperature: fc.option(fc.constantFrom(0, 0.5, 1), { nil: undefined }),
    tools: fc.array(tool, { maxLength: 1 }),
  })
  .map(({ system, turns, last, max_tokens, temperature, tools }) => ({
    model: "RelayV1",
    messages: [
      ...(system === null ? [] : [{ role: "system" as const, content: system }]),
      ...turns.flat(),
      last,
    ],
    max_tokens,
    ...(temperature === undefined ? {} : { temperature }),
    ...(tools.length === 0 ? {} : { tools }),
  }));

/** What the dialects add or write in another way, although it means the same. */
const plain = (body: object) =>
  JSON.parse(JSON.stringify(body), (name, value: unknown) =>
    ["stream", "strict", "detail", "parallel_tool_calls", "stream_options"].includes(name)
      ? undefined
      : value,
  );

test("in the Responses API", () => {
  fc.assert(
    fc.property(chats, (chat) => {
      const { body, ignored } = responsesDialect.toChat(
        responsesRequest.parse(responsesBody(chat)),
      );
      expect(ignored).toEqual([]);
      expect(plain(body)).toEqual(plain(chat));
    }),
  );
});

test("in the Messages API", () => {
  fc.assert(
    fc.property(chats, (chat) => {
      const { body, ignored } = messagesDialect.toChat(messagesRequest.parse(messagesBody(chat)));
      expect(ignored).toEqual([]);
      expect(plain(body)).toEqual(plain(chat));
    }),
  );
});
