/**
 * Tests plain answers that are too large to buffer: their bytes, their charge, and what a retry
 * gets.
 */
import type { ServerResponse } from "node:http";
import { expect, test } from "vitest";
import { extent } from "@/testing/extent/extent";
import { scriptedRelay } from "@/testing/relay/scripted-relay";
import { hello } from "@/testing/relay/test-relay";
import { usageOf } from "@/testing/upstream/test-upstream";
import { pause } from "../../timing/pause";

const setup = await scriptedRelay((upstream) => ({
  channels: [upstream.channel()],
  points: "100000",
}));

const lastEnd = async () => (await setup.relay.ends()).at(-1);

/** A completion with `megabytes` of top_logprobs, sent in pieces. */
function sendLarge(
  response: ServerResponse,
  megabytes: number,
  { usageFirst = false, isCut = false } = {},
): Promise<void> {
  const token = { token: "wörter", logprob: -0.25, bytes: [1, 2, 3], top_logprobs: [] };
  const row = `${JSON.stringify(token)},`.repeat(2_000);
  const usage = `"usage":${JSON.stringify(usageOf(10, 900))}`;
  const rows = Math.ceil((megabytes * 1024 * 1024) / Buffer.byteLength(row));
  const closed = new Promise((resolve) => response.once("close", resolve));
  return (async () => {
    response.writeHead(200, { "content-type": "application/json" });
    response.write(
      `{"id":"up-1","object":"chat.completion","created":7,${usageFirst ? `${usage},` : ""}"model":"upstream-name","choices":[{`,
    );
    response.write(
      `"index":0,"finish_reason":"stop","message":{"role":"assistant","content":"hi"},"logprobs":{"content":[`,
    );
    for (let count = 0; count < rows && !response.destroyed; count++) {
      if (!response.write(row))
        await Promise.race([new Promise((resolve) => response.once("drain", resolve)), closed]);
    }
    if (isCut) response.destroy();
    else
      response.end(
        `${JSON.stringify(token)}]}}]${usageFirst ? "" : `,${usage}`},"system_fingerprint":"fp"}`,
      );
  })();
}

test.each([
  [1.5, false],
  [extent(5, 20), false],
  [extent(5, 20), true],
])(
  "a plain answer of %d MiB arrives complete under our names, with its points, and is charged (usage first: %s)",
  async (size, usageFirst) => {
    setup.script = (response) => sendLarge(response, size, { usageFirst });
    const { status, json, text } = await setup.relay.chat({ logprobs: true, top_logprobs: 20 });
    expect(status).toBe(200);
    expect(text.length).toBeGreaterThan(size * 1024 * 1000);
    expect(json).toMatchObject({
      id: expect.stringMatching(/^chatcmpl-[0-9a-f]{32}$/),
      model: "RelayV1",
      object: "chat.completion",
      created: 7,
      system_fingerprint: "fp",
      usage: { ...usageOf(10, 900), points: 0.7208 },
    });
    const [choice] = json.choices as { message: object; logprobs: { content: object[] } }[];
    expect(choice?.message).toEqual({ role: "assistant", content: "hi" });
    expect(choice?.logprobs.content.at(-1)).toMatchObject({ token: "wörter" });
    expect(await lastEnd()).toMatchObject({
      outcome: "settled",
      amount: 720_800,
      output: 900,
      losses: [],
    });
  },
);

test("the end of a large answer is not sent before its charge is durable, and a slow client slows the upstream down", async () => {
  let written = 0;
  setup.script = async (response) => {
    const write = response.write.bind(response);
    response.write = ((part: string) => {
      written += part.length;
      return write(part);
    }) as typeof response.write;
    await sendLarge(response, 64);
  };
  const response = await setup.relay.fetch("/v1/chat/completions", {
    body: JSON.stringify({ model: "RelayV1", messages: hello, logprobs: true }),
  });
  await pause(500);
  // The sockets alone were seen to take from 4 to 15 MB.
  expect(written).toBeLessThan(32 * 1024 * 1024);
  let last = "";
  for await (const part of response.body as unknown as AsyncIterable<Uint8Array>) {
    last = (last + Buffer.from(part).toString()).slice(-1000);
    if (last.includes('"points"')) expect((await setup.relay.balance()).held).toBe(0n);
  }
  expect(last).toContain('"points":0.7208}}');
});

test("a client that disconnects from a large answer is charged what the upstream reports at its end", async () => {
  setup.script = (response) => sendLarge(response, extent(8, 20));
  const controller = new AbortController();
  const body = JSON.stringify({ model: "RelayV1", messages: hello, logprobs: true });
  const response = await setup.relay.fetch("/v1/chat/completions", {
    body,
    signal: controller.signal,
  });
  const reader = response.body?.getReader();
  await reader?.read();
  controller.abort();
  await reader?.cancel();
  expect(await lastEnd()).toMatchObject({
    outcome: "settled",
    amount: 720_800,
    isAbandoned: true,
    losses: [],
  });
});

test("a large answer whose upstream breaks off is cut for its client too, and is a loss", async () => {
  setup.script = (response) => sendLarge(response, 3, { isCut: true });
  await expect(setup.relay.chat({ logprobs: true })).rejects.toThrow();
  expect(await lastEnd()).toMatchObject({
    outcome: "released",
    reason: "upstream_failed",
    losses: ["usage_missing"],
  });
});

test("a large answer with an Idempotency-Key is replayed byte for byte; one beyond 16 MiB is charged once and not repeated", async () => {
  setup.script = (response) => sendLarge(response, 3);
  const first = await setup.relay.chat({}, { "idempotency-key": "large-1" });
  const again = await setup.relay.chat({}, { "idempotency-key": "large-1" });
  expect([
    again.status,
    again.headers.get("idempotent-replayed"),
    again.text === first.text,
  ]).toEqual([200, "true", true]);
  expect(again.headers.get("x-relay-points")).toBe("0.7208");
  setup.script = (response) => sendLarge(response, 20);
  const known = (await setup.relay.ends()).length;
  const huge = await setup.relay.chat({}, { "idempotency-key": "large-2" });
  expect(huge).toMatchObject({ status: 200, json: { usage: { points: 0.7208 } } });
  expect(await setup.relay.chat({}, { "idempotency-key": "large-2" })).toMatchObject({
    status: 409,
    json: { error: { code: "idempotency_finished" } },
  });
  expect((await setup.relay.ends()).slice(known)).toMatchObject([
    { outcome: "settled", amount: 720_800 },
  ]);
});

/** A large answer with a call as some upstreams write it, and text before it. */
function sendCall(response: ServerResponse, length: number, text = "hi", choice = {}): void {
  const called = { name: "f", arguments: { text: "x".repeat(length) } };
  const message = { content: [{ type: "text", text }], tool_calls: [{ function: called }] };
  const choices = [{ ...choice, message, finish_reason: "STOP" }, { message: { content: "two" } }];
  const body = { object: "answer", choices, usage: usageOf(10, 900) };
  response.writeHead(200, { "content-type": "application/json" }).end(JSON.stringify(body));
}

test.each([
  [{}, {}, 700_000],
  [{}, { "idempotency-key": "large-call" }, 700_000],
  [{}, {}, 5_000_000],
  [{ logprobs: true }, {}, 100_000],
])(
  "a large answer is mended as a small one is, and charged once: %j %j %d",
  async (members, headers, length) => {
    const logprobs = { content: Array(20_001).fill({ token: "a", logprob: -0.5 }) };
    setup.script = (response) => sendCall(response, length, "hi", { index: 3, logprobs });
    const { status, json, text } = await setup.relay.chat(members, headers);
    expect(status).toBe(200);
    expect(json).toMatchObject({ object: "chat.completion", usage: { points: 0.7208 } });
    const choice = { index: 0, message: { content: "hi" }, finish_reason: "tool_calls", logprobs };
    expect(json.choices).toMatchObject([choice]);
    const [call] = JSON.parse(text).choices[0].message.tool_calls;
    expect(JSON.parse(call.function.arguments)).toEqual({ text: "x".repeat(length) });
    expect(await lastEnd()).toMatchObject({ outcome: "settled", amount: 720_800, losses: [] });
  },
);

test("a message beyond 16 Mi characters is passed on as it comes", async () => {
  setup.script = (response) => sendCall(response, 10, "y".repeat(17 * 1024 * 1024));
  const { status, text, json } = await setup.relay.chat();
  expect([status, text.includes('"finish_reason":"STOP"')]).toEqual([200, true]);
  expect(json.choices).toMatchObject([{ index: 0, message: { tool_calls: [{}] } }]);
  expect(await lastEnd()).toMatchObject({ outcome: "settled", amount: 720_800, losses: [] });
});

test("a plain answer has its points in its usage, and a replay is byte for byte the same", async () => {
  setup.script = (response) => {
    const text = JSON.stringify({
      id: "x",
      choices: [{ message: { content: "a" } }],
      usage: usageOf(10, 10),
    });
    response.writeHead(200, { "content-type": "application/json" }).end(text);
  };
  const first = await setup.relay.chat({}, { "idempotency-key": "small-1" });
  expect(first.json.usage).toEqual({ ...usageOf(10, 10), points: 0.0088 });
  expect(first.headers.get("x-relay-points")).toBe("0.0088");
  expect((await setup.relay.chat({}, { "idempotency-key": "small-1" })).text).toBe(first.text);
});
