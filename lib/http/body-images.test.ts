/** Images of a conversation are taken out of its body, and count as text where they are none. */
import { expect, test } from "vitest";
import { base64, receive, rewritten } from "@/testing/http/received-body";
import { endpoints } from "../contract/endpoints";
import { createBodyMemory } from "../limits/body-memory";

const media = endpoints.createImage;
const chat = endpoints.createChatCompletion;
const png = "data:image/png;base64,";

test.each([
  ["chat completions", chat, { url: png + base64(30_000) }],
  ["the Messages API", endpoints.createMessage, { data: base64(30_000) }],
])("an image of %s is taken out, and counts as text where it is none", async (_, row, body) => {
  const text = JSON.stringify(body);
  const received = await receive(Buffer.from(text), 1000, row);
  expect(JSON.stringify(received.value).length).toBeLessThan(100);
  expect(await rewritten(received)).toBe(text);
  const { images } = received.rawBody;
  expect(images?.bytesIn(JSON.stringify(received.value))).toBe(40_000);
  received.rawBody.countAsText(40_000);
  expect(() => received.rawBody.countAsText(row.textBytesMax)).toThrow();
});

test("base64 in another member than `data`, and what is none in it, stay in the text", async () => {
  const body = { date: base64(30_000), data: `${base64(9_000)}!`, databases: base64(30_000) };
  const { value, rawBody: sent } = await receive(
    Buffer.from(JSON.stringify(body)),
    7,
    endpoints.createMessage,
  );
  expect([value, sent.images]).toEqual([body, undefined]);
});

test("a body is kept as long as somebody holds it", async () => {
  const memory = createBodyMemory();
  const text = JSON.stringify({ image: png + base64(30_000) });
  const { rawBody: sent } = await receive(Buffer.from(text), 1000, media, memory);
  const letGo = sent.hold();
  sent.release();
  expect(sent.images?.byteLength).toBe(40_000);
  letGo();
  expect([sent.images, memory.bytes]).toEqual([undefined, 0]);
});
