/**
 * The real parts together: a key from the database, the sandbox or a configured channel, one
 * charge.
 */

import { mkdtempSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import pg from "pg";
import { afterAll, beforeAll, expect, test, vi } from "vitest";
import { createAccount } from "./accounts/create-account";
import { createApiKey, revokeApiKey } from "./commands/api-keys";
import { createChannel, setChannelState } from "./commands/channels";
import { setPrice } from "./commands/prices";
import { answer, composition, type Relay } from "./composition";
import { connectDatabase, type Database } from "./db/client";
import { createTestDatabase } from "./db/testing";
import { answerRequest } from "./http/fetch-lane";
import { createLedger, type OpenLedger } from "./ledger/ledger";
import { pagesDeps } from "./pages-api/pages-deps";
import { fixedSecrets } from "./secrets";
import { completion, sendJson, startUpstream, type TestUpstream, usageOf } from "./upstream/testing-upstream";

const secret = "a secret of at least thirty-two characters";
const folder = mkdtempSync(join(tmpdir(), "relay-composition-"));
let database: Database;
let tool: OpenLedger;
let relay: Relay;
let upstream: TestUpstream;
let accountId: string;
let key: { id: string; secret: string };

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

beforeAll(async () => {
  const url = await createTestDatabase();
  Object.assign(process.env, { DATABASE_URL: url, RELAY_SECRET: secret, RELAY_DATA_DIR: folder });
  upstream = await startUpstream(async (response) => {
    await hold.pass();
    sendJson(response, completion("from the channel", { usage: usageOf(10, 10) }));
  });
  database = connectDatabase(url, 2);
  tool = await createLedger({ databaseUrl: url, spoolFolder: folder, role: "tool" });
  const account = { email: "a@example.com", passwordHash: null, name: null, isOperator: false, welcomePoints: 30_000_000n };
  accountId = (await createAccount(database, tool, account)).accountId;
  key = await newKey();
  relay = await composition();
  await relay.start();
});
afterAll(async () => {
  await relay.drain();
  await relay.close();
  await tool.close();
  await database.$disconnect();
  await upstream.close();
  rmSync(folder, { recursive: true, force: true });
});

async function newKey(): Promise<{ id: string; secret: string }> {
  const made = await createApiKey({ database, ledger: tool }, "test", { accountId, name: "test" });
  return { id: made.key.id, secret: made.secret };
}

async function chat(authorization = `Bearer ${key.secret}`): Promise<{ status: number; text: string; points: string | null }> {
  const body = JSON.stringify({ model: "RelayV1", messages: [{ role: "user", content: "hello" }], max_tokens: 100 });
  const headers = { authorization, "content-type": "application/json" };
  const response = await answer(new Request("http://relay.test/v1/chat/completions", { method: "POST", headers, body }));
  return { status: response.status, text: await response.text(), points: response.headers.get("x-relay-points") };
}

/** Asks until the answer fits: a change must take effect within five seconds. */
async function soon(isExpected: (one: Awaited<ReturnType<typeof chat>>) => boolean, authorization?: string) {
  for (const started = performance.now(); performance.now() - started < 5_000; ) {
    const one = await chat(authorization);
    if (isExpected(one)) return one;
    await new Promise((resolve) => setTimeout(resolve, 100));
  }
  throw new Error("not within five seconds");
}

test("it is one per process, whoever asks", async () => {
  expect(await composition()).toBe(relay);
  // The pages get their dependencies from the same process.
  expect(await pagesDeps().ledger.balance(accountId)).toEqual({ available: 30_000_000n, held: 0n });
});

test("with no channel the sandbox answers, and its usage is charged at the default price", async () => {
  const before = await tool.balance(accountId);
  const { status, text, points } = await chat();
  expect(status).toBe(200);
  expect(text).toContain("sandbox");
  const after = await tool.balance(accountId);
  expect(after.held).toBe(0n);
  expect(Number(before.available - after.available) / 1_000_000).toBe(Number(points));
  expect(Number(points)).toBeGreaterThan(0);
});

test("a session is served by the same table, and a web request of a route file never becomes one", async () => {
  const path = "http://relay.test/v1/balance";
  const mine = await answerRequest(relay.find, new Request(path), { accountId });
  expect(mine.status).toBe(200);
  expect(await mine.json()).toMatchObject({ held_points: 0 });
  expect((await answerRequest(relay.find, new Request(path), { accountId: "acct_unknown" })).status).toBe(401);
  expect((await answer(new Request(path, { headers: { authorization: accountId } }))).status).toBe(401);
  // Next calls a route's handler with a second argument.
  const handler: (request: Request, context: unknown) => Promise<Response> = answer;
  expect((await handler(new Request(path), { accountId })).status).toBe(401);
});

test("the sandbox makes a video in either style: it is charged once and its link plays", async () => {
  await tool.credit({ accountId, kind: "grant", ref: "video", amount: 100_000_000n, reason: "test", actor: "cli" });
  const before = await tool.balance(accountId);
  const headers = { authorization: `Bearer ${key.secret}`, "content-type": "application/json" };
  const post = (path: string, body: object) =>
    answer(new Request(`http://relay.test${path}`, { method: "POST", headers, body: JSON.stringify(body) }));
  const order = { model: "super-relay-fast", resolution: "480p", duration: 1 };
  const [called, created] = await Promise.all([
    post("/v1/videos/generations", { ...order, prompt: "a fox" }),
    post("/v1/contents/generations/tasks", { ...order, content: [{ type: "text", text: "a hare" }] }),
  ]);
  const [video, { id }] = [await called.json(), await created.json()];
  expect(video).toMatchObject({ model: "super-relay-fast", duration: 3, resolution: "480p", id: called.headers.get("x-relay-task-id") });
  const poll = async () => (await answer(new Request(`http://relay.test/v1/contents/generations/tasks/${id}`, { headers }))).json();
  await expect.poll(async () => (await poll()).status, { timeout: 20_000 }).toBe("succeeded");
  const links = [video.video_url, (await poll()).content.video_url];
  for (const link of links) {
    const file = await answer(new Request(link.replace(/^https?:\/\/[^/]+/, "http://relay.test")));
    expect([file.status, file.headers.get("content-type")]).toEqual([200, "video/mp4"]);
    expect(Buffer.from(await file.arrayBuffer()).toString("latin1", 4, 8)).toBe("ftyp");
  }
  const after = await tool.balance(accountId);
  expect(after.held).toBe(0n);
  // 864 × 480 × 73 / 1024 tokens at 420 points a million, twice.
  expect(before.available - after.available).toBe(2n * 29_565n * 420n);
}, 40_000);

test("a channel takes over from the sandbox within five seconds, and switched off it leaves an error, never the sandbox", async () => {
  const models = { RelayV1: "their-name" };
  const bounds = { requestsPerSecond: 0, requestsPerMinute: 0 };
  const place = { name: "real", protocol: "openai", baseUrl: `${upstream.url}/v1`, apiKey: "upstream-secret" } as const;
  const channel = await createChannel({ database, secrets: fixedSecrets(secret) }, "test", { ...place, ...bounds, models });
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

test("a price changed while a request runs changes nothing for what it holds: it is charged at the price it began with", async () => {
  const before = await tool.balance(accountId);
  const answered = hold.wait;
  const running = chat();
  await answered;
  const client = new pg.Pool({ connectionString: process.env.DATABASE_URL, max: 1 });
  await setPrice({ pool: client }, "test", { model: "RelayV1", input: 8_000_000_000n, output: 80_000_000_000n, effectiveAt: null });
  const { priceBook } = pagesDeps();
  await vi.waitFor(() => expect(priceBook.current("RelayV1")?.price.output).toBe(80_000_000_000n), { timeout: 5000 });
  hold.release();
  expect(await running).toMatchObject({ status: 200, points: "0.0088" });
  expect(before.available - (await tool.balance(accountId)).available).toBe(8800n);
  expect((await chat()).points).toBe("0.88");
  await setPrice({ pool: client }, "test", { model: "RelayV1", input: 80_000_000n, output: 800_000_000n, effectiveAt: null });
  await client.end();
  await soon(({ points }) => points === "0.0088");
});

test("a revoked key is refused within five seconds", async () => {
  const own = await newKey();
  expect((await chat(`Bearer ${own.secret}`)).status).toBe(200);
  await revokeApiKey({ database }, "test", { id: own.id, accountId });
  expect((await soon(({ status }) => status === 401, `Bearer ${own.secret}`)).text).toContain("api_key_revoked");
});

test.each([
  ["an image", "/v1/images/generations", { model: "super-relay-img", prompt: "A fox", size: "512x512" }, "image/png"],
  ["a video", "/v1/videos/generations", { model: "super-relay-fast", prompt: "A fox", duration: 3, resolution: "480p" }, "video/mp4"],
])(
  "%s of the sandbox lies in our own store and comes by our own link, in part as well",
  async (_, path, body, type) => {
    const headers = { authorization: `Bearer ${key.secret}`, "content-type": "application/json" };
    const response = await answer(new Request(`http://relay.test${path}`, { method: "POST", headers, body: JSON.stringify(body) }));
    const text = await response.text();
    expect(response.status, text).toBe(200);
    expect(Number(response.headers.get("x-relay-points"))).toBeGreaterThan(0);
    const link = /"(?:video_)?url":"([^"]+)"/.exec(text)?.[1] as string;
    expect(link).toMatch(/^http:\/\/localhost:\d+\/v1\/media\/media_/);
    const file = await answer(new Request(link, { headers: { range: "bytes=0-99" } }));
    expect([file.status, file.headers.get("content-type"), (await file.arrayBuffer()).byteLength]).toEqual([206, type, 100]);
    expect((await answer(new Request(link.replace(/.$/, "_")))).status).toBe(403);
  },
  60_000,
);

test("readiness asks the database; a stop ends it", async () => {
  const ready = () => answer(new Request("http://relay.test/readyz"));
  expect((await ready()).status).toBe(200);
  await relay.drain();
  expect((await ready()).status).toBe(503);
  expect((await answer(new Request("http://relay.test/healthz"))).status).toBe(200);
  expect((await chat()).text).toContain("service_draining");
});
