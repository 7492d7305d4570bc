import type pg from "pg";
import { beforeAll, describe, expect, test } from "vitest";
import { damages } from "@/testing/ledger/damages";
import {
  holdOf,
  openLedgerDatabase,
  releaseOf,
  seedAccount,
  settleOf,
  taskOf,
} from "@/testing/ledger/test-ledger";
import { opened } from "@/testing/unit/opened";
import { countAll } from "../usage/usage-counter";
import { auditLedger } from "./audit";
import { recentDays } from "./audit-usage";

const failing = async () =>
  (await auditLedger(client)).checks.filter(({ ok }) => !ok).map(({ name }) => name);

const { client, ledger } = await opened(openLedgerDatabase());
const account = await seedAccount(client, ledger, 10_000n);
beforeAll(async () => {
  await ledger.setKeyBudget(account.apiKeyId, account.accountId, 9000n);
  for (let i = 0n; i < 12n; i++) {
    const hold = holdOf(account, 100n, {
      multiplierPpm: 333_333,
      apiKeyId: i % 2n ? account.apiKeyId : null,
    });
    await ledger.openHold(hold);
    const due = ((i * 7n * 1_000_000n + 3n * 2_000_000n) * 333_333n + 10n ** 12n - 1n) / 10n ** 12n;
    const usage = {
      inputTokens: Number(i * 7n),
      outputTokens: 3,
      reported: { prompt_tokens: Number(i * 7n) },
    };
    if (i % 3n === 0n) await ledger.release(releaseOf(hold));
    else if (i !== 11n) await ledger.settle({ ...settleOf(hold, due), usage });
  }
  for (const isOver of [true, false]) {
    const hold = holdOf(account, 7n, { family: "video" });
    await ledger.openTask(hold, taskOf({ taskId: `cgt-${isOver}` }));
    if (isOver)
      await ledger.releaseTask(releaseOf(hold), { status: "failed", errorCode: "upstream_failed" });
  }
  const over = holdOf(account, 5n);
  await ledger.openHold(over);
  await ledger.settle(settleOf(over, 12n));
  await ledger.refund({
    operationId: over.operationId,
    ref: "part",
    amount: 2n,
    reason: "test",
    actor: "cli",
  });
  await ledger.credit({
    accountId: account.accountId,
    kind: "adjust_down",
    ref: "down",
    amount: 9n,
    reason: "test",
    actor: "cli",
  });
  await countAll(client);
});

describe("the audit", () => {
  test("is clean after every kind of verb, and counts accounts and journal lines", async () => {
    const report = await auditLedger(client);
    expect(report.checks.filter(({ ok }) => !ok)).toEqual([]);
    expect(report).toMatchObject({ ok: true, accounts: 1, entries: 11 });
    expect(await auditLedger(client, recentDays())).toMatchObject({ ok: true });
  });

  test.each(damages)("reports %s", async (_name, sql, found) => {
    // The damage is never committed: the audit reads inside the transaction that caused it.
    await client.query("begin");
    await client.query("set local session_replication_role = replica");
    const inTransaction = {
      query: (text: string) =>
        /^(begin|rollback)/.test(text) ? Promise.resolve() : client.query(text),
    };
    const report = await client
      .query(sql)
      .then(() => auditLedger(inTransaction as unknown as pg.ClientBase))
      .finally(() => client.query("rollback"));
    expect(report.ok).toBe(false);
    expect(report.checks.filter(({ ok }) => !ok).map(({ name }) => name)).toContainEqual(
      expect.stringMatching(found),
    );
    for (const { ok, detail } of report.checks) expect(detail !== "").toBe(!ok);
    expect(await failing()).toEqual([]);
  });
});
