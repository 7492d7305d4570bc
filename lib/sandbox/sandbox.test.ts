import fc from "fast-check";
import { expect, test } from "vitest";
import { opened } from "@/testing/unit/opened";
import { startSandbox } from "./sandbox";
import { inputTokensOf, tokensOf } from "./tokens";

const sandbox = await opened(startSandbox());

function ask(
  prompt: string,
  extra: object = {},
  credential = sandbox.channel.apiKey,
): Promise<Response> {
  return fetch(`${sandbox.channel.baseUrl}/chat/completions`, {
    method: "POST",
    headers: { authorization: `Bearer ${credential}`, "content-type": "application/json" },
    body: JSON.stringify({
      model: "sandbox-relay-v1",
      messages: [{ role: "user", content: prompt }],
      ...extra,
    }),
  });
}
interface Reply {
  readonly choices: readonly [{ readonly message: { readonly content: string } }];
  readonly usage?: object;
}
const completed = async (prompt: string, extra: object = {}) =>
  (await ask(prompt, extra)).json() as Promise<Reply>;

test("a reply says that it is a sandbox, answers the prompt and counts its tokens", async () => {
  const reply = await completed("What is 6*7?");
  expect(reply).toMatchObject({
    object: "chat.completion",
    choices: [{ finish_reason: "stop", message: { role: "assistant" } }],
  });
  const { content } = reply.choices[0].message;
  expect(content).toContain("sandbox");
  expect(content).toContain("42");
  expect(reply.usage).toMatchObject({ completion_tokens: tokensOf(content).length });
});

test.each(["Hello", "Say hello.", "你好！"])("%s gets a greeting", async (prompt) => {
  expect((await completed(prompt)).choices[0].message.content).toContain("Hello!");
});

test("caps are kept and reported", async () => {
  for (const cap of [
    { max_tokens: 3 },
    { max_completion_tokens: 3 },
    { max_tokens: 9, max_completion_tokens: 3 },
  ]) {
    expect(await completed("hello", cap)).toMatchObject({
      usage: { completion_tokens: 3 },
      choices: [{ finish_reason: "length" }],
    });
  }
  expect(await completed("[[tokens:500]]")).toMatchObject({ usage: { completion_tokens: 500 } });
  expect(await completed("[[tokens:500]]", { max_tokens: 20 })).toMatchObject({
    usage: { completion_tokens: 20 },
  });
});

test("no text has more tokens than bytes, and its tokens joined are the text", async () => {
  await fc.assert(
    fc.asyncProperty(fc.string({ unit: "grapheme", maxLength: 200 }), async (text) => {
      expect(tokensOf(text).join("")).toBe(text);
      expect(tokensOf(text).length).toBeLessThanOrEqual(Buffer.byteLength(text));
      const messages = [{ role: "user", content: text }];
      expect(await inputTokensOf(messages)).toBeLessThanOrEqual(
        Buffer.byteLength(JSON.stringify(messages)),
      );
    }),
  );
});

test("a stream arrives word by word, with usage only on request", async () => {
  const lines = (
    await (await ask("hi", { stream: true, stream_options: { include_usage: true } })).text()
  )
    .trim()
    .split("\n\n");
  expect(lines.at(-1)).toBe("data: [DONE]");
  expect(JSON.parse((lines.at(-2) as string).slice(6))).toMatchObject({
    choices: [],
    usage: { completion_tokens: expect.any(Number) },
  });
  expect(lines.length).toBeGreaterThan(8);
  expect(await (await ask("hi", { stream: true })).text()).not.toContain('"usage"');
});

test("each misbehaviour does what its name says", async () => {
  expect((await ask("[[fail]]")).status).toBe(500);
  expect((await ask("[[status:503]]")).status).toBe(503);
  expect(await completed("[[no-usage]]")).not.toHaveProperty("usage");
  expect(await completed("[[usage:-1]]")).toMatchObject({ usage: { completion_tokens: -1 } });
  expect(await completed('[[usage:"many"]]')).toMatchObject({
    usage: { completion_tokens: "many" },
  });
  await expect((await ask("[[garbage]]")).json()).rejects.toThrow();
  await expect(ask("[[truncate]]").then((response) => response.text())).rejects.toThrow();
  await expect(
    ask("[[truncate]]", { stream: true }).then((response) => response.text()),
  ).rejects.toThrow();
  const started = performance.now();
  await ask("[[delay:0.3]]");
  expect(performance.now() - started).toBeGreaterThan(290);
  const hung = await Promise.race([
    ask("[[hang]]").catch(() => "cut"),
    new Promise((resolve) => setTimeout(resolve, 300, "silent")),
  ]);
  expect(hung).toBe("silent");
});

test("only its own credential is accepted, and its request log records what it delivered", async () => {
  expect((await ask("hi", {}, "wrong")).status).toBe(401);
  const { seen } = sandbox.requestLog;
  await completed("hello", { max_tokens: 2 });
  expect(sandbox.requestLog.seen).toBe(seen + 1);
  expect(sandbox.requestLog.entries.at(-1)).toMatchObject({
    outputTokens: 2,
    capTokens: 2,
    isDelivered: true,
    isStream: false,
  });
  const log = await fetch(new URL("/book", sandbox.channel.baseUrl), {
    headers: { authorization: `Bearer ${sandbox.channel.apiKey}` },
  });
  expect(((await log.json()) as { seen: number }).seen).toBe(seen + 1);
});
