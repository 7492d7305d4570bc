import { afterEach, expect, test, vi } from "vitest";
import { type ChatFacts, streamChat } from "./chat-stream";

const asked = { model: "RelayV1", messages: [] };
const chunk = (body: object) =>
  `data: ${JSON.stringify({ id: "a", object: "x", created: 1, model: "RelayV1", choices: [], ...body })}\n\n`;
const piece = (content: string) =>
  chunk({ choices: [{ index: 0, delta: { content }, finish_reason: null }] });
const usage = chunk({
  usage: { prompt_tokens: 3, completion_tokens: 2, total_tokens: 5, points: 0.00184 },
});

afterEach(() => vi.unstubAllGlobals());

/** Reads an answer that arrives in chunks of `size` bytes. */
async function readAs(text: string, size: number, status = 200) {
  const bytes = new TextEncoder().encode(text);
  const body = new ReadableStream<Uint8Array>({
    start(controller) {
      for (let at = 0; at < bytes.length; at += size)
        controller.enqueue(bytes.slice(at, at + size));
      controller.close();
    },
  });
  vi.stubGlobal(
    "fetch",
    async () => new Response(body, { status, headers: { "x-request-id": "req_1" } }),
  );
  let read = "";
  let last: ChatFacts | undefined;
  await streamChat(asked, "key", new AbortController().signal, (part, facts) => {
    read += part;
    last = facts;
  });
  return { read, last };
}

test.each([1, 2, 7, 10_000])("an answer is the same in chunks of %i bytes", async (size) => {
  const { read, last } = await readAs(
    `: ping\n\n${piece("你")}${piece("好 🙂")}${usage}data: [DONE]\n\n`,
    size,
  );
  expect(read).toBe("你好 🙂");
  expect(last).toMatchObject({
    requestId: "req_1",
    inputTokens: 3,
    outputTokens: 2,
    points: "0.001840",
  });
});

test("a stream that ends early, an error inside it and an error before it all throw with the request id", async () => {
  const failure = JSON.stringify({ error: { code: "upstream_failed", message: "no" } });
  await expect(readAs(piece("a"), 50)).rejects.toMatchObject({
    code: "broken_off",
    requestId: "req_1",
  });
  await expect(readAs(`${piece("a")}data: ${failure}\n\n`, 50)).rejects.toMatchObject({
    code: "upstream_failed",
    requestId: "req_1",
  });
  await expect(readAs(`${piece("a")}data: {"cut`, 50)).rejects.toMatchObject({
    code: "broken_off",
  });
  await expect(readAs(failure, 50, 502)).rejects.toMatchObject({
    code: "upstream_failed",
    status: 502,
    requestId: "req_1",
  });
});

test("while the earlier request is being answered it waits, and then reads that answer under its id", async () => {
  const sent: (string | null)[] = [];
  const running = { error: { code: "idempotency_in_progress", message: "Wait." } };
  vi.stubGlobal("fetch", async (_: string, { headers }: RequestInit) => {
    sent.push(new Headers(headers).get("idempotency-key"));
    if (sent.length === 1)
      return Response.json(running, { status: 409, headers: { "retry-after": "0.01" } });
    const first = { "x-request-id": "req_2", "x-relay-request-id": "req_1" };
    return new Response(`${piece("late")}data: [DONE]\n\n`, { headers: first });
  });
  let read = "";
  let last: ChatFacts | undefined;
  await streamChat(asked, "key", new AbortController().signal, (part, facts) => {
    read += part;
    last = facts;
  });
  expect([read, sent]).toEqual(["late", ["key", "key"]]);
  expect(last).toMatchObject({ requestId: "req_1", isLate: true });
});
