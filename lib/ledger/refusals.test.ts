/**
 * Tests the constraints of the ledger's tables: each violation is tried by hand and must be refused
 * for every writer.
 */
import { randomUUID } from "node:crypto";
import type pg from "pg";
import { afterAll, beforeAll, describe, expect, test } from "vitest";
import { createTestDatabase } from "@/testing/db/test-database";
import {
  connect,
  holdOf,
  openTestLedger,
  type SeededAccount,
  seedAccount,
  settleOf,
} from "@/testing/ledger/test-ledger";
import type { OpenLedger } from "./ledger";
import type { HoldRequest } from "./verbs";

let client: pg.Client;
let ledger: OpenLedger;
let account: SeededAccount;
let stranger: SeededAccount;
let open: HoldRequest;
let settled: HoldRequest;

beforeAll(async () => {
  const url = await createTestDatabase();
  client = await connect(url);
  ledger = await openTestLedger(url);
  account = await seedAccount(client, ledger, 1000n);
  stranger = await seedAccount(client, ledger, 1000n);
  [open, settled] = [holdOf(account, 100n), holdOf(account, 100n)];
  await ledger.openHold(open);
  await ledger.openHold(settled);
  await ledger.settle(settleOf(settled, 40n));
  await ledger.setKeyBudget(account.apiKeyId, account.accountId, 200n);
});
afterAll(async () => {
  await ledger?.close();
  await client?.end();
});

/** SQL that settles the open hold, with `changes` to its columns. */
function settlementSql(changes: Record<string, string> = {}): string {
  const row: Record<string, string> = {
    operation_id: `'${open.operationId}'`,
    account_id: `'${account.accountId}'`,
    hold_amount: "100",
    outcome: "'settled'",
    amount: "10",
    input_tokens: "10",
    output_tokens: "0",
    usage: "'{}'",
    reason: "null",
    ...changes,
  };
  return `insert into settlement (${Object.keys(row).join(", ")}) values (${Object.values(row).join(", ")})`;
}

function operationSql(changes: Record<string, string> = {}): string {
  const row: Record<string, string> = {
    id: `'${randomUUID()}'`,
    account_id: `'${account.accountId}'`,
    api_key_id: `'${account.apiKeyId}'`,
    source: "'api'",
    request_id: "'req'",
    family: "'text'",
    model: "'test-model'",
    price_version_id: account.priceVersionId,
    multiplier_ppm: "1000000",
    quote_amount: "5",
    hold_amount: "5",
    request_sha256: "sha256('x')",
    deadline: "now() + interval '1 minute'",
    ...changes,
  };
  return `insert into operation (${Object.keys(row).join(", ")}) values (${Object.values(row).join(", ")})`;
}

const creditSql = (kind: string, ref: string, amount: string) =>
  `insert into ledger_entry (account_id, kind, ref, amount, reason, actor) values ('${account.accountId}', '${kind}', '${ref}', ${amount}, 'r', 'a')`;
const walletSql = (set: string) =>
  `update wallet set ${set} where account_id = '${account.accountId}'`;

const violations: [name: string, sql: () => string, by: string][] = [
  [
    "a second settlement of an operation",
    () => settlementSql({ operation_id: `'${settled.operationId}'` }),
    "settlement_earlier_pkey",
  ],
  ["a settlement above its hold", () => settlementSql({ amount: "101" }), "settlement_within_hold"],
  ["a negative settlement", () => settlementSql({ amount: "-1" }), "settlement_within_hold"],
  [
    "a settlement on another wallet",
    () => settlementSql({ account_id: `'${stranger.accountId}'` }),
    "settlement_ends_open_operation",
  ],
  [
    "a settlement of another hold amount",
    () => settlementSql({ hold_amount: "500", amount: "400" }),
    "settlement_ends_open_operation",
  ],
  [
    "a settlement of an operation that is not there",
    () => settlementSql({ operation_id: `'${randomUUID()}'` }),
    "settlement_ends_open_operation",
  ],
  [
    "a release that charges",
    () => settlementSql({ outcome: "'released'", reason: "'x'" }),
    "settlement_released_is_free",
  ],
  [
    "a release without a reason",
    () => settlementSql({ outcome: "'released'", amount: "0" }),
    "settlement_released_has_reason",
  ],
  [
    "a charge without usage",
    () => settlementSql({ usage: "null" }),
    "settlement_settled_has_usage",
  ],
  [
    "a charge without tokens",
    () => settlementSql({ input_tokens: "null" }),
    "settlement_settled_has_usage",
  ],
  [
    "a charge with negative tokens",
    () => settlementSql({ output_tokens: "-1" }),
    "settlement_settled_has_usage",
  ],
  [
    "an unbounded usage",
    () =>
      settlementSql({
        usage: `(select jsonb_agg(sha256(i::text::bytea)) from generate_series(1, 1000) i)`,
      }),
    "settlement_bounded",
  ],
  ["an outcome of another name", () => settlementSql({ outcome: "'post'" }), "settlement_outcome"],
  [
    "the same operation twice",
    () => operationSql({ id: `'${open.operationId}'` }),
    "operation_earlier_pkey",
  ],
  [
    "an operation without a wallet",
    () => operationSql({ account_id: "'acct_none'", api_key_id: "null" }),
    "operation_names_what_exists",
  ],
  [
    "an operation with another account's key",
    () => operationSql({ api_key_id: `'${stranger.apiKeyId}'` }),
    "operation_names_what_exists",
  ],
  [
    "an operation with another model's price",
    () => operationSql({ model: "'other-model'" }),
    "operation_names_what_exists",
  ],
  [
    "an operation without a price",
    () => operationSql({ price_version_id: "0" }),
    "operation_names_what_exists",
  ],
  ["a negative hold", () => operationSql({ hold_amount: "-1" }), "operation_hold_amount"],
  [
    "a hold beyond every bound",
    () => operationSql({ hold_amount: "1000000000000001" }),
    "operation_hold_amount",
  ],
  ["a multiplier of nothing", () => operationSql({ multiplier_ppm: "0" }), "operation_multiplier"],
  [
    "a deadline in the past",
    () => operationSql({ deadline: "now() - interval '1 second'" }),
    "operation_deadline",
  ],
  [
    "a hash that is none",
    () => operationSql({ request_sha256: "'x'" }),
    "operation_request_sha256",
  ],
  [
    "a second credit of one event",
    () => creditSql("grant", `seed:${account.accountId}`, "5"),
    "ledger_entry_once",
  ],
  ["a credit of nothing", () => creditSql("topup", "zero", "0"), "ledger_entry_amount"],
  ["a negative credit", () => creditSql("topup", "minus", "-5"), "ledger_entry_amount"],
  ["a credit of an unknown kind", () => creditSql("charge", "kind", "5"), "ledger_entry_kind"],
  [
    "available below zero",
    () => walletSql("debits_pending = 1001, version = version + 1"),
    "wallet_available_not_negative",
  ],
  [
    "a negative counter",
    () => walletSql("debits_pending = -1, version = version + 1"),
    "wallet_counters_not_negative",
  ],
  [
    "credits that shrink",
    () => walletSql("credits_posted = credits_posted - 1, version = version + 1"),
    "wallet_only_grows",
  ],
  [
    "charges that shrink",
    () => walletSql("debits_posted = debits_posted - 1, version = version + 1"),
    "wallet_only_grows",
  ],
  ["a version gap", () => walletSql("version = version + 2"), "wallet_only_grows"],
  [
    "a wallet that changes without a version",
    () => walletSql("debits_posted = debits_posted + 1"),
    "wallet_only_grows",
  ],
  [
    "a wallet that starts with points",
    () => "insert into wallet (account_id, credits_posted) values ('acct_x', 5)",
    "wallet_starts_empty",
  ],
  [
    "the end of a wallet",
    () => `delete from wallet where account_id = '${account.accountId}'`,
    "wallet_no_delete",
  ],
  [
    "work put into the queue by hand",
    () =>
      `insert into open_operation select id, account_id, api_key_id, model, hold_amount, node_id, deadline from operation where id = '${settled.operationId}'`,
    "open_operation_only_by_trigger",
  ],
  [
    "work taken off the queue without its end",
    () => `delete from open_operation where operation_id = '${open.operationId}'`,
    "open_operation_only_by_trigger",
  ],
  [
    "a queued hold that changes",
    () => `update open_operation set hold_amount = 1 where operation_id = '${open.operationId}'`,
    "open_operation_fixed",
  ],
  [
    "a key that holds beyond its budget",
    () => `update api_key_budget set held = 201 where api_key_id = '${account.apiKeyId}'`,
    "api_key_budget_bound",
  ],
  [
    "a key's spend that shrinks",
    () => `update api_key_budget set spent = spent - 1 where api_key_id = '${account.apiKeyId}'`,
    "api_key_budget_bound",
  ],
  [
    "a day's usage that shrinks",
    () => "update usage_day set amount = amount - 1",
    "usage_day_only_grows",
  ],
  ["a day's usage that is deleted", () => "delete from usage_day", "usage_day_no_delete"],
  [
    "a loss below nothing",
    () => "insert into operator_loss (cause, estimate) values ('usage_missing', -1)",
    "operator_loss_estimate",
  ],
];

describe("the database refuses", () => {
  test.each(violations)("%s", async (_name, sql, by) => {
    await client.query("begin");
    const error: unknown = await client.query(sql()).catch((reason: unknown) => reason);
    await client.query("rollback");
    expect(error).toBeInstanceOf(Error);
    const { constraint, message } = error as { constraint?: string; message: string };
    expect(`${constraint ?? ""} ${message}`).toContain(by);
  });

  test("nothing that is valid: a manual release removes the operation from the queue", async () => {
    await client.query("begin");
    await client.query(
      settlementSql({ outcome: "'released'", amount: "0", usage: "null", reason: "'x'" }),
    );
    const { rows } = await client.query(
      "select count(*)::int as n from open_operation where operation_id = $1",
      [open.operationId],
    );
    await client.query("rollback");
    expect(rows).toEqual([{ n: 0 }]);
  });
});
