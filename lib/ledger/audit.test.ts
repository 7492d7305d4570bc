import type pg from "pg";
import { afterAll, beforeAll, describe, expect, test } from "vitest";
import { createTestDatabase } from "@/testing/db/test-database";
import {
  connect,
  holdOf,
  openTestLedger,
  releaseOf,
  type SeededAccount,
  seedAccount,
  settleOf,
} from "@/testing/ledger/test-ledger";
import { auditLedger } from "./audit";
import { recentDays } from "./audit-usage";
import type { OpenLedger } from "./ledger";
import { countAll } from "./usage-counter";

let client: pg.Client;
let ledger: OpenLedger;
let account: SeededAccount;
const failing = async () =>
  (await auditLedger(client)).checks.filter(({ ok }) => !ok).map(({ name }) => name);

beforeAll(async () => {
  const url = await createTestDatabase();
  client = await connect(url);
  ledger = await openTestLedger(url);
  account = await seedAccount(client, ledger, 10_000n);
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
    await ledger.openTask(hold, {
      taskId: `cgt-${isOver}`,
      modelNamed: "x",
      spec: {},
      imageUrls: [],
      callbackUrl: null,
      leaseOwner: "x",
      leaseSeconds: 1,
    });
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
afterAll(async () => {
  await ledger?.close();
  await client?.end();
});

const anySettled =
  "operation_id = (select operation_id from settlement where outcome = 'settled' and amount between 1 and 50 order by 1 limit 1)";
const anyReleased =
  "operation_id = (select operation_id from settlement where outcome = 'released' order by 1 limit 1)";
const corruptions: [name: string, sql: string, found: RegExp][] = [
  [
    "points that no credit brought",
    "update wallet set credits_posted = credits_posted + 1",
    /credits are the sum/,
  ],
  [
    "a charge counter that forgot",
    "update wallet set debits_posted = debits_posted - 1",
    /debits are the sum/,
  ],
  [
    "a pending counter that drifts",
    "update wallet set debits_pending = debits_pending + 1",
    /pending points/,
  ],
  ["a hold count that drifts", "update wallet set open_holds = open_holds + 1", /pending points/],
  [
    "a credit deleted from the journal",
    "delete from ledger_entry where kind = 'grant'",
    /credits are the sum/,
  ],
  [
    "a credit changed in the journal",
    "update ledger_entry set amount = amount + 1 where kind = 'adjust_down'",
    /debits are the sum/,
  ],
  ["a charge deleted", `delete from settlement where ${anySettled}`, /debits are the sum/],
  [
    "a charge made larger",
    `update settlement set amount = amount + 1 where ${anySettled}`,
    /tokens × price × multiplier/,
  ],
  [
    "tokens changed under a charge",
    `update settlement set input_tokens = input_tokens + 1000 where ${anySettled}`,
    /tokens × price × multiplier/,
  ],
  [
    "a charge above its hold",
    `alter table settlement drop constraint settlement_within_hold; update settlement set amount = hold_amount + 1 where ${anySettled}`,
    /between 0 and its hold/,
  ],
  [
    "a release that charges",
    `alter table settlement drop constraint settlement_released_is_free; update settlement set amount = 1 where ${anyReleased}`,
    /release charges nothing/,
  ],
  [
    "a charge without usage",
    `alter table settlement drop constraint settlement_settled_has_usage; update settlement set usage = null where ${anySettled}`,
    /every charge has reported usage/,
  ],
  [
    "a settlement moved to another hold amount",
    `update settlement set hold_amount = hold_amount + 1 where ${anySettled}`,
    /same account and hold/,
  ],
  [
    "a settlement without its operation",
    `delete from operation where id = (select operation_id from settlement where outcome = 'settled' limit 1)`,
    /ends an operation/,
  ],
  [
    "an operation ended twice",
    `alter table settlement drop constraint settlement_pkey; insert into settlement select * from settlement where ${anySettled}`,
    /ended twice/,
  ],
  ["a queue that forgot an operation", "delete from open_operation", /queue holds exactly/],
  [
    "a settled operation in the queue",
    "insert into open_operation select id, account_id, api_key_id, model, hold_amount, null, deadline from operation on conflict do nothing",
    /queue holds exactly/,
  ],
  [
    "a queued operation of another key",
    "update open_operation set api_key_id = 'key_x'",
    /has the account, key/,
  ],
  ["a usage day that drifts", "update usage_day set amount = amount + 1", /usage per day/],
  [
    "a usage day that is gone",
    "delete from usage_day where ctid = (select min(ctid) from usage_day)",
    /usage per day/,
  ],
  ["an hour's sum that drifts", "update usage_hour set amount = amount + 1", /every hour are/],
  [
    "an hour's sum that is gone",
    "delete from usage_hour where ctid = (select min(ctid) from usage_hour)",
    /every hour are/,
  ],
  [
    "an hour's times that drift",
    "update usage_hour set latency = latency || 512::bigint",
    /every hour are/,
  ],
  [
    "a request counted twice",
    "insert into usage_waiting select operation_id, account_id from settlement limit 1",
    /every hour are/,
  ],
  [
    "a request that waits twice",
    "insert into usage_waiting select operation_id, account_id from settlement, (values (1), (2)) v limit 2",
    /waits once/,
  ],
  [
    "a request that waits before it has ended",
    "insert into usage_waiting select operation_id, account_id from open_operation limit 1",
    /waits once/,
  ],
  [
    "a request that no sum counts",
    "update settlement set is_followed = false; update usage_backfill set below = 'ffffffff-ffff-ffff-ffff-ffffffffffff'",
    /every hour are/,
  ],
  [
    "an hour of a channel that drifts",
    "update usage_total_hour set released = released + 1",
    /hour over all accounts/,
  ],
  [
    "a day of a channel that drifts",
    "update usage_total_day set input_tokens = input_tokens + 1",
    /day over all accounts/,
  ],
  ["an hour's failures that are gone", "update usage_total_hour set failed = 0", /hour over all/],
  ["a day's times that are gone", "update usage_total_day set latency = '{}'", /day over all/],
  ["a key's spend that drifts", "update api_key_budget set spent = spent + 1", /key's budget/],
  ["a key's holds that drift", "update api_key_budget set held = held + 1", /key's budget/],
  ["a loss written off", "delete from operator_loss", /tokens × price × multiplier/],
  [
    "a loss of an operation that runs",
    "insert into operator_loss (operation_id, cause, estimate) select operation_id, 'usage_missing', 1 from open_operation limit 1",
    /loss belongs to an operation/,
  ],
  [
    "a price changed after the fact",
    "update price_version set input_price = input_price * 3",
    /tokens × price × multiplier/,
  ],
  [
    "an operation of another model's price",
    "update operation set model = 'other'",
    /price of its model/,
  ],
  [
    "a refund above its charge",
    "insert into ledger_entry (account_id, kind, ref, amount, reason, actor, operation_id) select account_id, 'refund', 'more', 10000, 'x', 'x', operation_id from ledger_entry where kind = 'refund'",
    /refunded beyond its amount/,
  ],
  [
    "a refund of another's charge",
    "update ledger_entry set account_id = 'acct_x' where kind = 'refund'",
    /refunded beyond its amount/,
  ],
  [
    "a credit counted twice",
    "alter table ledger_entry drop constraint ledger_entry_once; insert into ledger_entry (account_id, kind, ref, amount, reason, actor) select account_id, kind, ref, amount, reason, actor from ledger_entry",
    /counts twice/,
  ],
  [
    "points below zero",
    "alter table wallet drop constraint wallet_available_not_negative; update wallet set debits_pending = 1000000",
    /negative available points/,
  ],
  [
    "a task that succeeded without a charge",
    "update video_task set status = 'succeeded', media_id = 'm', result_expires_at = now() where status = 'failed'",
    /agrees with its settlement/,
  ],
  [
    "a task that ended and left its points held",
    "update video_task set status = 'cancelled', error_code = 'x', ended_at = now() where status = 'queued'",
    /agrees with its settlement/,
  ],
  ["a held video without its task", "delete from video_task", /no process owns/],
  [
    "an open operation that nobody owns",
    "update open_operation set node_id = 'node_gone', deadline = now() - interval '1 minute'",
    /owner that can still end it/,
  ],
];

describe("the audit", () => {
  test("is clean after every kind of verb, and counts accounts and journal lines", async () => {
    const report = await auditLedger(client);
    expect(report.checks.filter(({ ok }) => !ok)).toEqual([]);
    expect(report).toMatchObject({ ok: true, accounts: 1, entries: 11 });
    expect(await auditLedger(client, recentDays())).toMatchObject({ ok: true });
  });

  test.each(corruptions)("reports %s", async (_name, sql, found) => {
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
