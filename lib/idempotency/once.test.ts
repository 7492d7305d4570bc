import { hash } from "node:crypto";
import pg from "pg";
import { afterAll, beforeAll, beforeEach, expect, test } from "vitest";
import { hello, openTestRelay, type TestRelay } from "../relay/testing";
import {
  chunk,
  completion,
  type Script,
  sendJson,
  startUpstream,
  streamType,
  type TestUpstream,
  usageChunk,
  usageOf,
} from "../upstream/testing-upstream";
import { createRequestTable } from "./request-table";

let upstream: TestUpstream;
let relay: TestRelay;
/** A second process on the same database. */
let other: TestRelay;
let script: Script;
let database: pg.Client;

const pause = (milliseconds: number) => new Promise((resolve) => setTimeout(resolve, milliseconds));
const slowly: Script = async (response) => {
  await pause(300);
  sendJson(response, completion("hi", { usage: usageOf(10, 10) }));
};
const streamed: Script = (response) => {
  response.writeHead(200, streamType).end(`${chunk({ content: "hi" })}${usageChunk(usageOf(10, 10))}data: [DONE]\n\n`);
};

beforeAll(async () => {
  upstream = await startUpstream((...args) => script(...args));
  relay = await openTestRelay({ channels: [upstream.channel({ requestsPerSecond: 0, requestsPerMinute: 0 })] });
  other = await openTestRelay({ channels: relay.setting.channels, beside: relay });
  database = new pg.Client({ connectionString: relay.seeded.url });
  await database.connect();
});
afterAll(async () => {
  await database.end();
  await other.close();
  await relay.close();
  await upstream.close();
});
beforeEach(() => {
  upstream.seen.length = 0;
});

let keys = 0;
const freshKey = () => `order ${++keys}`;
const withKey = (key: string) => ({ "idempotency-key": key });
const rowOf = async (key: string) => (await database.query("select * from idempotent_request where key = $1", [key])).rows[0];
const settledOf = async () => Number((await database.query("select count(*) from settlement where outcome = 'settled'")).rows[0].count);

test("fifty equal requests at once in two processes are one upstream request, one charge and fifty equal answers", async () => {
  script = slowly;
  const key = freshKey();
  const before = await settledOf();
  const answers = await Promise.all(Array.from({ length: 50 }, (_, at) => (at % 2 ? relay : other).chat({}, withKey(key))));
  expect(new Set(answers.map(({ status, text }) => `${status} ${text}`)).size).toBe(1);
  expect(answers[0]?.status).toBe(200);
  expect(answers.filter(({ headers }) => headers.get("idempotent-replayed") === "true")).toHaveLength(49);
  expect(new Set(answers.map(({ headers }) => headers.get("x-relay-points")))).toEqual(new Set(["0.0088"]));
  expect(new Set(answers.map(({ headers }) => headers.get("x-request-id"))).size).toBe(50);
  expect(upstream.seen).toHaveLength(1);
  expect(await settledOf()).toBe(before + 1);
});

test("a later retry gets the stored answer byte for byte, in any process", async () => {
  script = slowly;
  const key = freshKey();
  const first = await relay.chat({}, withKey(key));
  const [again, elsewhere] = [await relay.chat({}, withKey(key)), await other.chat({}, withKey(key))];
  expect([again.text, elsewhere.text]).toEqual([first.text, first.text]);
  expect(elsewhere.headers.get("idempotent-replayed")).toBe("true");
  expect(first.headers.get("idempotent-replayed")).toBeNull();
  expect(elsewhere.headers.get("content-type")).toBe(first.headers.get("content-type"));
  expect(upstream.seen).toHaveLength(1);
});

test("a key used with another body is refused, while the first runs and after", async () => {
  script = slowly;
  const key = freshKey();
  const running = relay.chat({}, withKey(key));
  await pause(100);
  for (const process of [relay, other]) {
    const refused = await process.chat({ temperature: 1 }, withKey(key));
    expect([refused.status, refused.json.error?.code]).toEqual([422, "idempotency_key_reused"]);
  }
  expect((await running).status).toBe(200);
  expect((await other.chat({ temperature: 1 }, withKey(key))).status).toBe(422);
  expect(upstream.seen).toHaveLength(1);
});

test("a stream's retry is told to wait while it runs, and after its end that it was charged, naming it", async () => {
  let finish = () => {};
  script = (response) => {
    response.writeHead(200, streamType).write(chunk({ content: "hi" }));
    finish = () => response.end(`${usageChunk(usageOf(10, 10))}data: [DONE]\n\n`);
  };
  const key = freshKey();
  const body = JSON.stringify({ model: "RelayV1", messages: hello, stream: true });
  const first = await relay.fetch("/v1/chat/completions", { body, headers: withKey(key) });
  const id = first.headers.get("x-request-id") as string;
  for (const process of [relay, other]) {
    const early = await process.chat({ stream: true }, withKey(key));
    expect([early.status, early.json.error?.code]).toEqual([409, "idempotency_in_progress"]);
    expect(Number(early.headers.get("retry-after"))).toBeGreaterThan(0);
  }
  finish();
  expect(await first.text()).toContain("[DONE]");
  for (const process of [relay, other]) {
    const late = await process.chat({ stream: true }, withKey(key));
    expect([late.status, late.json.error?.code, late.json.error?.request_id]).toEqual([409, "idempotency_finished", id]);
    expect(late.headers.get("x-should-retry")).toBe("false");
    expect(late.json.error?.message).toContain(id);
  }
  expect(upstream.seen).toHaveLength(1);
});

test("a failure without charge is not kept: the retry runs, for a plain call and for a stream that broke off", async () => {
  const key = freshKey();
  script = (response) => sendJson(response, "{}", 400);
  expect((await relay.chat({}, withKey(key))).status).toBe(400);
  expect(await rowOf(key)).toBeUndefined();
  script = slowly;
  expect((await other.chat({}, withKey(key))).status).toBe(200);

  const second = freshKey();
  script = (response) => void response.writeHead(200, streamType).write(chunk({ content: "hi" }), () => response.destroy());
  expect((await relay.chat({ stream: true }, withKey(second))).text).not.toContain("[DONE]");
  await relay.ends();
  script = streamed;
  expect((await other.chat({ stream: true }, withKey(second))).text).toContain("[DONE]");
});

test("a refusal is not kept", async () => {
  const key = freshKey();
  const price = relay.setting.price;
  relay.setting.price = null;
  expect((await relay.chat({}, withKey(key))).status).toBe(503);
  relay.setting.price = price;
  script = slowly;
  expect((await relay.chat({}, withKey(key))).status).toBe(200);
});

test.each(["", "a".repeat(256), "käse", "tab\tbed"])("the key %j is refused", async (key) => {
  const refused = await relay.chat({}, withKey(key));
  expect([refused.status, refused.json.error?.code]).toEqual([400, "invalid_value"]);
});

/** The state that a dead process left behind: its row, and perhaps a hold and its end. */
async function leftBehind(state: { hold?: boolean; end?: "settled" | "released"; body?: string; isStream?: boolean }): Promise<string> {
  const key = freshKey();
  const { accountId, apiKeyId, priceIds } = relay.seeded;
  const priceVersionId = priceIds.get("RelayV1") as string;
  const body = JSON.stringify({ model: "RelayV1", messages: hello, ...(state.isStream ? { stream: true } : {}) });
  const operationId = crypto.randomUUID();
  await database.query(
    `insert into idempotent_request (account_id, key, endpoint, request_sha256, is_stream, request_id, operation_id, node_id, headers, body)
     values ($1, $2, 'createChatCompletion', $3, $4, 'req_dead', $5, 'node_dead', $6, $7)`,
    [
      accountId,
      key,
      hash("sha256", body, "buffer"),
      state.isStream ?? false,
      operationId,
      state.body ? {} : null,
      state.body ? Buffer.from(state.body) : null,
    ],
  );
  if (!state.hold) return key;
  const request = {
    operationId,
    accountId,
    apiKeyId,
    source: "api",
    requestId: "req_dead",
    family: "text",
    model: "RelayV1",
    priceVersionId,
    multiplierPpm: 1_000_000,
  } as const;
  await relay.ledger.openHold({
    ...request,
    quoteAmount: 9n,
    holdAmount: 9n,
    holdAmountMin: 9n,
    requestSha256: new Uint8Array(32),
    deadlineSeconds: 900,
  });
  const outcome = { channelId: null, upstreamRef: null, isStream: false, durationMs: 1, firstByteMs: null, isAbandoned: false };
  if (state.end === "settled")
    await relay.ledger.settle({ operationId, accountId, amount: 7n, usage: { inputTokens: 1, outputTokens: 1, reported: {} }, outcome });
  if (state.end === "released") await relay.ledger.release({ operationId, accountId, reason: "crash_unknown", loss: null, outcome });
  return key;
}

test("a process that died before the hold, or whose hold was given back, leaves a retry that runs", async () => {
  script = slowly;
  for (const state of [
    {},
    { body: '{"id":"never"}' },
    { hold: true, end: "released" },
    { hold: true, end: "released", isStream: true },
  ] as const) {
    const key = await leftBehind(state);
    upstream.seen.length = 0;
    script = "isStream" in state ? streamed : slowly;
    expect((await relay.chat("isStream" in state ? { stream: true } : {}, withKey(key))).status).toBe(200);
    expect(upstream.seen).toHaveLength(1);
  }
});

test("a process that died between the charge and the answer leaves the answer to the retry", async () => {
  const key = await leftBehind({ hold: true, end: "settled", body: '{"id":"kept"}' });
  const { status, text, headers } = await other.chat({}, withKey(key));
  expect([status, text, headers.get("x-relay-points")]).toEqual([200, '{"id":"kept"}', "0.000007"]);
  expect(upstream.seen).toHaveLength(0);
});

test("a charge without a stored answer is final, never made twice", async () => {
  for (const isStream of [false, true]) {
    const key = await leftBehind({ hold: true, end: "settled", isStream });
    const refused = await relay.chat(isStream ? { stream: true } : {}, withKey(key));
    expect([refused.status, refused.json.error?.code]).toEqual([409, "idempotency_finished"]);
  }
  expect(upstream.seen).toHaveLength(0);
});

test("a hold that nobody has ended yet keeps its retry waiting until it is known how it ended", async () => {
  script = slowly;
  const key = await leftBehind({ hold: true });
  const waiting = relay.chat({}, withKey(key));
  await pause(300);
  expect(upstream.seen).toHaveLength(0);
  const { operation_id: operationId } = await rowOf(key);
  const outcome = { channelId: null, upstreamRef: null, isStream: false, durationMs: 1, firstByteMs: null, isAbandoned: false };
  await relay.ledger.release({ operationId, accountId: relay.accountId, reason: "crash_unknown", loss: null, outcome });
  expect((await waiting).status).toBe(200);
  expect(upstream.seen).toHaveLength(1);
});

test("after a day the key is free again and its row is removed", async () => {
  script = slowly;
  const [key, forgotten] = [freshKey(), freshKey()];
  await relay.chat({}, withKey(key));
  await relay.chat({}, withKey(forgotten));
  await database.query("update idempotent_request set expires_at = now() where key = any($1)", [[key, forgotten]]);
  expect((await relay.chat({ temperature: 1 }, withKey(key))).headers.get("idempotent-replayed")).toBeNull();
  const pool = new pg.Pool({ connectionString: relay.seeded.url, max: 1 });
  expect(await createRequestTable(pool, "tidy").removeExpired()).toBe(1);
  await pool.end();
  expect(await rowOf(forgotten)).toBeUndefined();
  expect((await rowOf(key)).state).toBe("answered");
});

test("a stored answer is not told to a key that may not use its model, nor is a running one joined", async () => {
  script = slowly;
  const key = freshKey();
  const first = relay.chat({}, withKey(key));
  await pause(100);
  const { principal } = other.setting;
  other.setting.principal = { ...principal, apiKeyId: "key_small", rateSubject: "key_small", models: ["super-relay"] };
  const early = await other.chat({}, withKey(key));
  expect((await first).status).toBe(200);
  const late = await other.chat({}, withKey(key));
  other.setting.principal = principal;
  for (const refused of [early, late]) expect([refused.status, refused.json.error?.code]).toEqual([403, "model_not_allowed"]);
  expect((await other.chat({}, withKey(key))).headers.get("idempotent-replayed")).toBe("true");
});

test("a key whose first request was refused, and was written down later by a process that lives, is free a minute later", async () => {
  script = slowly;
  const key = await leftBehind({});
  await database.query("update idempotent_request set node_id = $2, created_at = now() - interval '2 minutes' where key = $1", [
    key,
    other.ledger.nodeId,
  ]);
  expect((await relay.chat({}, withKey(key))).status).toBe(200);
});
