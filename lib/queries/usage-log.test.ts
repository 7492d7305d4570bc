import { expect, test } from "vitest";
import { settleAt } from "@/testing/ledger/settle-at";
import {
  holdOf,
  openLedgerDatabase,
  releaseOf,
  type SeededAccount,
  seedAccount,
  settleOf,
} from "@/testing/ledger/test-ledger";
import { dayFromNow } from "@/testing/unit/day-from-now";
import { opened } from "@/testing/unit/opened";
import { requestDetail } from "./request-detail";
import { dailySpendPerKey, spendBy } from "./spend";
import { statementLines } from "./statement-lines";
import { type StatementDays, statementSums } from "./statement-sums";
import { runningRequests, usagePage } from "./usage-log";
import { usageSummary } from "./usage-summary";

const { client, ledger, pool } = await opened(openLedgerDatabase());

/** Wide enough for a test that runs over midnight. */
const now = () => ({ from: dayFromNow(-1), to: dayFromNow(1), zone: "UTC" });

/** Three settled requests, two released and one running; the first is from a page. */
async function seedRequests(account: SeededAccount) {
  for (let i = 0; i < 6; i++) {
    const hold = holdOf(account, 100n, {
      requestId: `req_${i}`,
      ...(i === 0 ? { apiKeyId: null, source: "playground" } : {}),
    });
    await ledger.openHold(hold);
    if (i < 3) await ledger.settle(settleOf(hold, BigInt(i + 1)));
    else if (i < 5) await ledger.release(releaseOf(hold, "upstream_timeout"));
  }
}

test("the sums of a filter equal those of its rows, however they are grouped", async () => {
  const account = await seedAccount(client, ledger, 10_000n);
  await seedRequests(account);
  const filters = [
    {},
    { status: "settled" },
    { status: "released" },
    { status: "held" },
    { key: account.apiKeyId },
    { key: "none" },
    { model: "none" },
  ] as const;
  for (const filter of filters) {
    const wanted = { ...now(), ...filter };
    const { lines } = await usagePage(pool, account.accountId, wanted, { limit: 100 });
    for (const group of ["day", "model", "key"] as const) {
      const { total, groups } = await usageSummary(pool, account.accountId, wanted, group);
      const states = (state: string) => lines.filter(({ request }) => request?.state === state);
      expect(total).toEqual({
        requests: lines.length,
        settled: states("settled").length,
        released: states("released").length,
        running: states("held").length,
        inputTokens: lines.reduce((sum, { request }) => sum + (request?.inputTokens ?? 0), 0),
        outputTokens: 0,
        charged: lines.reduce((sum, { amount }) => sum - amount, 0n),
        held: states("held").reduce((sum, { request }) => sum + (request?.held ?? 0n), 0n),
      });
      expect(groups.reduce((sum, { charged }) => sum + charged, 0n)).toBe(total.charged);
      expect(groups.reduce((sum, { requests }) => sum + requests, 0)).toBe(total.requests);
    }
  }
  const { groups } = await usageSummary(pool, account.accountId, now(), "key");
  expect(groups.map(({ id, name, charged }) => [id, name, charged])).toEqual([
    [account.apiKeyId, "test", 5n],
    ["", null, 1n],
  ]);
});

test("running requests are listed while they hold points, for their own account only", async () => {
  const [account, stranger] = [
    await seedAccount(client, ledger, 10_000n),
    await seedAccount(client, ledger, 10n),
  ];
  await seedRequests(account);
  expect(
    (await runningRequests(pool, account.accountId)).map(({ request }) => [
      request?.requestId,
      request?.state,
    ]),
  ).toEqual([["req_5", "held"]]);
  expect(await runningRequests(pool, stranger.accountId)).toEqual([]);
});

test("every request is on exactly one page, newest first", async () => {
  const account = await seedAccount(client, ledger, 10_000n);
  await seedRequests(account);
  const seen: string[] = [];
  let cursor: string | undefined;
  do {
    const page = await usagePage(pool, account.accountId, now(), { cursor, limit: 4 });
    seen.push(...page.lines.map(({ request }) => request?.requestId ?? ""));
    cursor = page.nextCursor ?? undefined;
  } while (cursor);
  expect(seen).toEqual(["req_5", "req_4", "req_3", "req_2", "req_1", "req_0"]);
});

test("a day starts at midnight of the requested zone, also when the clocks change", async () => {
  const account = await seedAccount(client, ledger, 10_000n);
  // In Berlin: 24, 25 (a day of 25 hours), 25, 26 October.
  for (const [at, amount] of [
    ["2026-10-24T21:59:59.999Z", 1],
    ["2026-10-24T22:00:00Z", 2],
    ["2026-10-25T22:59:59Z", 4],
    ["2026-10-25T23:00:00Z", 8],
  ] as const) {
    await settleAt(client, account, at, amount);
  }
  const inZone = async (zone: string, from: string, to: string) => {
    const { groups } = await usageSummary(pool, account.accountId, { from, to, zone }, "day");
    return groups.map(({ id, charged }) => [id, charged]);
  };
  expect(await inZone("Europe/Berlin", "2026-10-25", "2026-10-25")).toEqual([["2026-10-25", 6n]]);
  expect(await inZone("Europe/Berlin", "2026-10-01", "2026-10-31")).toEqual([
    ["2026-10-24", 1n],
    ["2026-10-25", 6n],
    ["2026-10-26", 8n],
  ]);
  expect(await inZone("UTC", "2026-10-24", "2026-10-25")).toEqual([
    ["2026-10-24", 3n],
    ["2026-10-25", 12n],
  ]);
  await expect(inZone("Nowhere/None", "2026-10-24", "2026-10-25")).rejects.toMatchObject({
    code: "invalid_value",
    param: "zone",
  });
});

test("only its account can read a request's detail, with the price and multiplier fixed at the hold", async () => {
  const [account, stranger] = [
    await seedAccount(client, ledger, 1000n),
    await seedAccount(client, ledger, 1000n),
  ];
  const hold = holdOf(account, 100n, { multiplierPpm: 850_000 });
  await ledger.openHold(hold);
  await ledger.settle(settleOf(hold, 40n));
  expect(await requestDetail(pool, account.accountId, hold.operationId)).toMatchObject({
    apiKeyId: account.apiKeyId,
    multiplierPpm: 850_000,
    price: { input: 1_000_000n, output: 2_000_000n },
    line: {
      amount: -40n,
      request: { state: "settled", held: 100n, settled: 40n, inputTokens: 40 },
    },
  });
  expect(await requestDetail(pool, stranger.accountId, hold.operationId)).toBeNull();
  expect(await requestDetail(pool, account.accountId, "' or true --")).toBeNull();
  expect((await usagePage(pool, stranger.accountId, now())).lines).toEqual([]);
});

async function linesOf(accountId: string, days: StatementDays, pageLines?: number) {
  const lines = [];
  for await (const page of statementLines(pool, accountId, days, pageLines)) lines.push(...page);
  return lines;
}

test("a statement adds up over any range of days, and its lines add up to its sums", async () => {
  const account = await seedAccount(client, ledger, 1000n);
  await seedRequests(account);
  await ledger.credit({
    accountId: account.accountId,
    kind: "topup",
    ref: account.accountId,
    amount: 50n,
    reason: "paid",
    actor: "cli",
  });
  await ledger.credit({
    accountId: account.accountId,
    kind: "adjust_down",
    ref: account.accountId,
    amount: 7n,
    reason: "test",
    actor: "cli",
  });
  const { accountId } = account;
  const days = { from: dayFromNow(-1), to: dayFromNow(1) };
  const sums = { opening: 0n, credits: 1050n, takenBack: 7n, charges: 6n, closing: 1037n };
  expect(await statementSums(pool, accountId, days)).toEqual({ ...sums, lineCount: 5 });
  const balance = await ledger.balance(accountId);
  expect(sums.closing).toBe(balance.available + balance.held);
  for (const pageLines of [1, 2, 5, 100]) {
    const lines = await linesOf(accountId, days, pageLines);
    expect(lines.reduce((sum, { amount }) => sum + amount, sums.opening)).toBe(sums.closing);
    expect(lines.map(({ kind }) => kind)).toEqual([
      "grant",
      "topup",
      "adjust_down",
      "charge",
      "charge",
    ]);
  }
  const later = { from: dayFromNow(2), to: dayFromNow(3) };
  expect(await statementSums(pool, accountId, later)).toMatchObject({
    opening: 1037n,
    credits: 0n,
    charges: 0n,
    closing: 1037n,
    lineCount: 0,
  });
  const earlier = { from: dayFromNow(-9), to: dayFromNow(-2) };
  expect(await statementSums(pool, accountId, earlier)).toMatchObject({ opening: 0n, closing: 0n });
  expect(await linesOf(accountId, earlier)).toEqual([]);
});

test("spend by day, model and key has the same sum, and each key's days end with today", async () => {
  const account = await seedAccount(client, ledger, 1000n);
  await seedRequests(account);
  for (const group of ["day", "model", "key"] as const) {
    const spend = await spendBy(pool, account.accountId, group, 7);
    expect(spend.reduce((sum, { amount }) => sum + amount, 0n)).toBe(6n);
    expect(spend.reduce((sum, { requests }) => sum + requests, 0)).toBe(3);
  }
  const perKey = await dailySpendPerKey(pool, account.accountId, 14);
  expect([...perKey.keys()].sort()).toEqual(["", account.apiKeyId].sort());
  expect(perKey.get(account.apiKeyId)).toHaveLength(14);
  expect(
    perKey
      .get(account.apiKeyId)
      ?.slice(-2)
      .reduce((a, b) => a + b),
  ).toBe(5n);
});
