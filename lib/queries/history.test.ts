import { expect, test } from "vitest";
import {
  holdOf,
  openLedgerDatabase,
  releaseOf,
  seedAccount,
  settleOf,
} from "@/testing/ledger/test-ledger";
import { opened } from "@/testing/unit/opened";
import { accountBalance, spendPerKey, statement } from "./account-balance";
import { type HistoryLine, history, usageRecords } from "./history";

const { client, ledger, pool } = await opened(openLedgerDatabase());

test("a page shows available and held points apart, and the statement adds up to them", async () => {
  const account = await seedAccount(client, ledger, 1000n);
  const [one, two] = [holdOf(account, 100n), holdOf(account, 200n)];
  await ledger.openHold(one);
  await ledger.openHold(two);
  await ledger.settle(settleOf(one, 60n));
  await ledger.credit({
    accountId: account.accountId,
    kind: "adjust_down",
    ref: "d1",
    amount: 5n,
    reason: "test",
    actor: "cli",
  });
  expect(await accountBalance(pool, account.accountId)).toEqual({
    available: 735n,
    held: 200n,
    openHolds: 1,
  });
  expect(await statement(pool, account.accountId)).toEqual({
    toppedUp: 1000n,
    charged: 60n,
    chargedThisMonth: 60n,
    takenBack: 5n,
  });
  expect(await accountBalance(pool, "acct_none")).toEqual({
    available: 0n,
    held: 0n,
    openHolds: 0,
  });
});

test("the history has each request with its state and each credit, newest first, once across all pages", async () => {
  const account = await seedAccount(client, ledger, 10_000n);
  for (let i = 0n; i < 7n; i++) {
    const hold = holdOf(account, 100n, {
      requestId: `req_${i}`,
      apiKeyId: i === 0n ? null : account.apiKeyId,
      source: i === 0n ? "playground" : "api",
    });
    await ledger.openHold(hold);
    if (i % 3n === 0n) await ledger.settle(settleOf(hold, i + 1n));
    if (i % 3n === 1n) await ledger.release(releaseOf(hold, "upstream_timeout"));
    const credit = {
      accountId: account.accountId,
      amount: i + 1n,
      reason: `reason ${i}`,
      actor: "cli",
    };
    await ledger.credit({
      ...credit,
      kind: i % 2n ? "topup" : "adjust_down",
      ref: `${account.accountId}${i}`,
    });
  }
  const all: HistoryLine[] = [];
  let cursor: string | undefined;
  do {
    const page = await history(pool, account.accountId, { cursor, limit: 4 });
    expect(page.lines.length).toBeLessThanOrEqual(4);
    all.push(...page.lines);
    cursor = page.nextCursor ?? undefined;
  } while (cursor);
  expect(all).toHaveLength(15);
  expect(new Set(all.map(({ id }) => id)).size).toBe(15);
  expect(all.map(({ at }) => at.getTime())).toEqual(
    all.map(({ at }) => at.getTime()).sort((a, b) => b - a),
  );
  const balance = await accountBalance(pool, account.accountId);
  expect(all.reduce((sum, { amount }) => sum + amount, 0n)).toBe(balance.available + balance.held);
  const byRequest = new Map(all.map((line) => [line.request?.requestId, line]));
  expect(byRequest.get("req_0")).toMatchObject({
    kind: "request",
    amount: -1n,
    request: { state: "settled", source: "playground", keyName: null, settled: 1n, inputTokens: 1 },
  });
  expect(byRequest.get("req_1")).toMatchObject({
    amount: 0n,
    reason: "upstream_timeout",
    request: { state: "released", keyName: "test", settled: null },
  });
  expect(byRequest.get("req_2")).toMatchObject({
    amount: 0n,
    request: { state: "held", held: 100n, quoted: 100n, endedAt: null },
  });
  expect(
    (await history(pool, account.accountId, { kind: "credits" })).lines.every(
      ({ request }) => request === null,
    ),
  ).toBe(true);
  expect((await history(pool, account.accountId, { kind: "requests" })).lines).toHaveLength(7);
});

test("another account's lines never appear, and a foreign cursor is refused", async () => {
  const [account, stranger] = [
    await seedAccount(client, ledger, 10n),
    await seedAccount(client, ledger, 10n),
  ];
  await ledger.openHold(holdOf(account, 1n));
  expect((await history(pool, stranger.accountId)).lines).toHaveLength(1);
  for (const cursor of [
    "",
    "x",
    "e30",
    Buffer.from('["a","b","c"]').toString("base64url"),
    Buffer.from('[null,null,"1 or 1=1"]').toString("base64url"),
  ]) {
    await expect(history(pool, stranger.accountId, { cursor })).rejects.toMatchObject({
      code: "invalid_value",
    });
  }
});

test("spend per key has its last thirty days and its budget", async () => {
  const account = await seedAccount(client, ledger, 1000n);
  const hold = holdOf(account, 100n);
  await ledger.openHold(hold);
  await ledger.settle(settleOf(hold, 33n));
  await client.query(
    "insert into usage_day values ($1, $2, 'old-model', current_date - 31, 1, 1, 1, 7)",
    [account.accountId, account.apiKeyId],
  );
  await ledger.setKeyBudget(account.apiKeyId, account.accountId, 500n);
  expect(await spendPerKey(pool, account.accountId)).toEqual([
    { apiKeyId: account.apiKeyId, spent: 40n, spent30Days: 33n, budget: 500n },
  ]);
});

test("usage records are paged by time and add up to the charges", async () => {
  const account = await seedAccount(client, ledger, 100_000n);
  const holds = Array.from({ length: 120 }, () => holdOf(account, 10n));
  await Promise.all(holds.map((hold) => ledger.openHold(hold)));
  await Promise.all(holds.map((hold, i) => ledger.settle(settleOf(hold, BigInt(i % 10)))));
  const range = { from: new Date(Date.now() - 3_600_000), to: new Date(Date.now() + 3_600_000) };
  const first = await usageRecords(pool, account.accountId, range);
  const second = await usageRecords(pool, account.accountId, {
    ...range,
    cursor: first.nextCursor ?? undefined,
  });
  expect([first.records.length, second.records.length, second.nextCursor]).toEqual([100, 20, null]);
  const total = [...first.records, ...second.records].reduce((sum, { amount }) => sum + amount, 0n);
  expect(total).toBe((await statement(pool, account.accountId)).charged);
  expect(
    (
      await usageRecords(pool, account.accountId, {
        from: range.to,
        to: new Date(Date.now() + 7_200_000),
      })
    ).records,
  ).toEqual([]);
});
