/**
 * Tests a process that died during a request with a key: its retry runs, waits, gets the answer or
 * is refused.
 */

import { hash } from "node:crypto";
import { beforeEach, expect, test } from "vitest";
import { slowly, startTwoProcesses, streamed, withKey } from "@/testing/idempotency/two-processes";
import { hello } from "@/testing/relay/test-relay";
import { opened } from "@/testing/unit/opened";
import { noOutcome } from "../ledger/core/verbs";
import { pause } from "../timing/pause";

const processes = await opened(startTwoProcesses());
const { upstream, relay, other, database } = processes;
beforeEach(() => {
  upstream.seen.length = 0;
});

/** The state that a dead process left behind: its row, and possibly a hold and its end. */
async function leftBehind(state: {
  hold?: boolean;
  end?: "settled" | "released";
  body?: string;
  isStream?: boolean;
}): Promise<string> {
  const key = processes.freshKey();
  const { accountId, apiKeyId, priceIds } = relay.seeded;
  const priceVersionId = priceIds.get("RelayV1") as string;
  const body = JSON.stringify({
    model: "RelayV1",
    messages: hello,
    ...(state.isStream ? { stream: true } : {}),
  });
  const operationId = crypto.randomUUID();
  await database.query(
    `insert into idempotent_request (account_id, key, endpoint, request_sha256, is_stream, request_id, operation_id, node_id, headers, body, api_key_id)
     values ($1, $2, 'createChatCompletion', $3, $4, 'req_dead', $5, 'node_dead', $6, $7, $8)`,
    [
      accountId,
      key,
      hash("sha256", body, "buffer"),
      state.isStream ?? false,
      operationId,
      state.body ? {} : null,
      state.body ? Buffer.from(state.body) : null,
      apiKeyId,
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
  if (state.end === "settled")
    await relay.ledger.settle({
      operationId,
      accountId,
      amount: 7n,
      usage: { inputTokens: 1, outputTokens: 1, reported: {} },
      outcome: noOutcome,
    });
  if (state.end === "released")
    await relay.ledger.release({
      operationId,
      accountId,
      reason: "crash_unknown",
      loss: null,
      outcome: noOutcome,
    });
  return key;
}

test("a process that died before the hold, or whose hold was released, lets the retry run", async () => {
  processes.script = slowly;
  for (const state of [
    {},
    { body: '{"id":"never"}' },
    { hold: true, end: "released" },
    { hold: true, end: "released", isStream: true },
  ] as const) {
    const key = await leftBehind(state);
    upstream.seen.length = 0;
    processes.script = "isStream" in state ? streamed : slowly;
    expect(
      (await relay.chat("isStream" in state ? { stream: true } : {}, withKey(key))).status,
    ).toBe(200);
    expect(upstream.seen).toHaveLength(1);
  }
});

test("a process that died between the charge and the answer leaves the answer to the retry", async () => {
  const key = await leftBehind({ hold: true, end: "settled", body: '{"id":"kept"}' });
  const { status, text, headers } = await other.chat({}, withKey(key));
  expect([status, text, headers.get("x-relay-points")]).toEqual([200, '{"id":"kept"}', "0.000007"]);
  expect(upstream.seen).toHaveLength(0);
});

test("a charge without a stored answer is final and never repeated", async () => {
  for (const isStream of [false, true]) {
    const key = await leftBehind({ hold: true, end: "settled", isStream });
    const refused = await relay.chat(isStream ? { stream: true } : {}, withKey(key));
    expect([refused.status, refused.json.error?.code]).toEqual([409, "idempotency_finished"]);
  }
  expect(upstream.seen).toHaveLength(0);
});

test("a hold without an end keeps its retry waiting until its outcome is known", async () => {
  processes.script = slowly;
  const key = await leftBehind({ hold: true });
  const waiting = relay.chat({}, withKey(key));
  await pause(300);
  expect(upstream.seen).toHaveLength(0);
  const { operation_id: operationId } = await processes.rowOf(key);
  await relay.ledger.release({
    operationId,
    accountId: relay.accountId,
    reason: "crash_unknown",
    loss: null,
    outcome: noOutcome,
  });
  expect((await waiting).status).toBe(200);
  expect(upstream.seen).toHaveLength(1);
});

test("a key whose first request was refused is free a minute later, even if a living process recorded it late", async () => {
  processes.script = slowly;
  const key = await leftBehind({});
  await database.query(
    "update idempotent_request set node_id = $2, created_at = now() - interval '2 minutes' where key = $1",
    [key, other.ledger.nodeId],
  );
  expect((await relay.chat({}, withKey(key))).status).toBe(200);
});
