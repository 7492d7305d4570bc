/**
 * Tests the real parts together: a key from the database, the sandbox or a configured channel, one
 * charge.
 */

import pg from "pg";
import { expect, test, vi } from "vitest";
import { compositionSecret, startComposedRelay } from "@/testing/composition/composed-relay";
import { opened } from "@/testing/unit/opened";
import { completion, sendJson, startUpstream, usageOf } from "@/testing/upstream/test-upstream";
import { revokeApiKey } from "../commands/api-keys";
import { createChannel, setChannelState } from "../commands/channels";
import { setPrice } from "../commands/prices";
import { fixedSecrets } from "../crypto/secrets";
import { answerRequest } from "../http/fetch-lane";
import { pagesDeps } from "../pages-api/pages-deps";
import { answer, composition } from "./composition";

/** Pauses the upstream's next answer, once a test has asked for it, until it is released. */
const hold = {
  onReached: null as (() => void) | null,
  release: () => {},
  get wait(): Promise<void> {
    return new Promise((resolve) => {
      hold.onReached = resolve;
    });
  },
  async pass(): Promise<void> {
    if (hold.onReached === null) return;
    hold.onReached();
    hold.onReached = null;
    await new Promise<void>((resolve) => {
      hold.release = resolve;
    });
  },
};

const upstream = await opened(
  startUpstream(async (response) => {
    await hold.pass();
    sendJson(response, completion("from the channel", { usage: usageOf(10, 10) }));
  }),
);
const composed = await opened(startComposedRelay());
const { database, tool, relay, accountId, key } = composed;

async function chat(
  authorization = `Bearer ${key.secret}`,
): Promise<{ status: number; text: string; points: string | null }> {
  const body = JSON.stringify({
    model: "RelayV1",
    messages: [{ role: "user", content: "hello" }],
    max_tokens: 100,
  });
  const headers = { authorization, "content-type": "application/json" };
  const response = await answer(
    new Request("http://relay.test/v1/chat/completions", { method: "POST", headers, body }),
  );
  return {
    status: response.status,
    text: await response.text(),
    points: response.headers.get("x-relay-points"),
  };
}

/** Repeats the request until the answer fits: a change must take effect within five seconds. */
async function soon(
  isExpected: (one: Awaited<ReturnType<typeof chat>>) => boolean,
  authorization?: string,
) {
  for (const started = performance.now(); performance.now() - started < 5_000; ) {
    const one = await chat(authorization);
    if (isExpected(one)) return one;
    await new Promise((resolve) => setTimeout(resolve, 100));
  }
  throw new Error("not within five seconds");
}

test("there is one composition per process", async () => {
  expect(await composition()).toBe(relay);
  // The pages get their dependencies from the same process.
  expect(await pagesDeps().ledger.balance(accountId)).toEqual({ available: 30_000_000n, held: 0n });
});

test("without a channel the sandbox answers, and its usage is charged at the default price", async () => {
  const before = await tool.balance(accountId);
  const { status, text, points } = await chat();
  expect(status).toBe(200);
  expect(text).toContain("sandbox");
  const after = await tool.balance(accountId);
  expect(after.held).toBe(0n);
  expect(Number(before.available - after.available) / 1_000_000).toBe(Number(points));
  expect(Number(points)).toBeGreaterThan(0);
});

test("a session is served by the same table, and a web request to a route file never becomes one", async () => {
  const path = "http://relay.test/v1/balance";
  const userId = "user_a";
  const mine = await answerRequest(relay.find, new Request(path), { accountId, userId });
  expect(mine.status).toBe(200);
  expect(await mine.json()).toMatchObject({ held_points: 0 });
  expect(
    (await answerRequest(relay.find, new Request(path), { accountId: "acct_unknown", userId }))
      .status,
  ).toBe(401);
  expect((await answer(new Request(path, { headers: { authorization: accountId } }))).status).toBe(
    401,
  );
  // Next calls a route's handler with a second argument.
  const handler: (request: Request, context: unknown) => Promise<Response> = answer;
  expect((await handler(new Request(path), { accountId })).status).toBe(401);
});

test("a channel replaces the sandbox within five seconds; disabled, it leaves an error, never the sandbox", async () => {
  const models = { RelayV1: "their-name" };
  const bounds = { requestsPerSecond: 0, requestsPerMinute: 0 };
  const place = {
    name: "real",
    protocol: "openai",
    baseUrl: `${upstream.url}/v1`,
    apiKey: "upstream-secret",
  } as const;
  const channel = await createChannel(
    { database, secrets: fixedSecrets(compositionSecret) },
    "test",
    { ...place, ...bounds, models },
  );
  expect((await soon(({ text }) => text.includes("from the channel"))).points).toBe("0.0088");
  expect(upstream.seen.at(-1)).toMatchObject({
    body: { model: "their-name", max_tokens: 100 },
    headers: { authorization: "Bearer upstream-secret" },
  });
  await setChannelState({ database }, "test", { id: channel.id, state: "disabled" });
  expect((await soon(({ status }) => status !== 200)).text).toContain("no_channel_available");
  await setChannelState({ database }, "test", { id: channel.id, state: "active" });
  await soon(({ status }) => status === 200);
});

test("a price change during a request does not affect it: it is charged at the price of its hold", async () => {
  const before = await tool.balance(accountId);
  const answered = hold.wait;
  const running = chat();
  await answered;
  const client = new pg.Pool({ connectionString: process.env.DATABASE_URL, max: 1 });
  await setPrice({ pool: client }, "test", {
    model: "RelayV1",
    input: 8_000_000_000n,
    output: 80_000_000_000n,
    effectiveAt: null,
  });
  const { priceBook } = pagesDeps();
  await vi.waitFor(() => expect(priceBook.current("RelayV1")?.price.output).toBe(80_000_000_000n), {
    timeout: 5000,
  });
  hold.release();
  expect(await running).toMatchObject({ status: 200, points: "0.0088" });
  expect(before.available - (await tool.balance(accountId)).available).toBe(8800n);
  expect((await chat()).points).toBe("0.88");
  await setPrice({ pool: client }, "test", {
    model: "RelayV1",
    input: 80_000_000n,
    output: 800_000_000n,
    effectiveAt: null,
  });
  await client.end();
  await soon(({ points }) => points === "0.0088");
});

test("a revoked key is refused within five seconds", async () => {
  const own = await composed.newKey();
  expect((await chat(`Bearer ${own.secret}`)).status).toBe(200);
  await revokeApiKey({ database }, "test", { id: own.id, accountId });
  expect((await soon(({ status }) => status === 401, `Bearer ${own.secret}`)).text).toContain(
    "api_key_revoked",
  );
});

test("readiness depends on the database, and a stop ends it", async () => {
  const ready = () => answer(new Request("http://relay.test/readyz"));
  expect((await ready()).status).toBe(200);
  await relay.drain();
  expect((await ready()).status).toBe(503);
  expect((await answer(new Request("http://relay.test/healthz"))).status).toBe(200);
  expect((await chat()).text).toContain("service_draining");
});
