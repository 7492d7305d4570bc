/**
 * Tests the constraints of the ledger's tables: each violation is tried by hand and must be refused
 * for every writer.
 */
import { randomUUID } from "node:crypto";
import { describe, expect, test } from "vitest";
import { holdOf, openLedgerDatabase, seedAccount, settleOf } from "@/testing/ledger/test-ledger";
import { opened } from "@/testing/unit/opened";
import { newOperationId } from "../../crypto/ids";
import { countAll } from "../usage/usage-counter";
import type { HoldRequest } from "./verbs";

const { client, ledger } = await opened(openLedgerDatabase());
const account = await seedAccount(client, ledger, 1000n);
const stranger = await seedAccount(client, ledger, 1000n);
const [open, settled] = [holdOf(account, 100n), holdOf(account, 100n)];
await ledger.openHold(open);
await ledger.openHold(settled);
const unlimited = holdOf(stranger, 100n);
await ledger.openHold(unlimited);
await ledger.settle(settleOf(settled, 40n));
await countAll(client);
await ledger.setKeyBudget(account.apiKeyId, account.accountId, 200n);

const insertSql = (table: string, row: Record<string, string>) =>
  `insert into ${table} (${Object.keys(row).join(", ")}) values (${Object.values(row).join(", ")})`;
const idOf = ({ operationId }: HoldRequest) => `'${operationId}'`;

/** What a hold writes. */
const openRow = (): Record<string, string> => ({
  id: `'${randomUUID()}'`,
  account_id: `'${account.accountId}'`,
  api_key_id: `'${account.apiKeyId}'`,
  source: "'api'",
  request_id: "'req'",
  family: "'text'",
  model: "'test-model'",
  price_version_id: account.priceVersionId,
  multiplier_ppm: "1000000",
  quote_amount: "100",
  hold_amount: "100",
  request_sha256: "sha256('x')",
  created_at: "now()",
  deadline: "now() + interval '1 minute'",
});
const openSql = (changes: Record<string, string> = {}): string =>
  insertSql("open_request", { ...openRow(), ...changes });

/** What its end writes. */
const endedSql = (changes: Record<string, string> = {}): string =>
  insertSql("request", {
    ...openRow(),
    outcome: "'settled'",
    amount: "10",
    input_tokens: "10",
    output_tokens: "0",
    usage: "'{}'",
    reason: "null",
    ended_at: "now()",
    ...changes,
  });

/** A hold by the function that opens it. */
function holdSql(changes: Record<string, string> = {}): string {
  const row: Record<string, string> = {
    node_name: `'${ledger.nodeId}'`,
    p_id: `'${newOperationId()}'`,
    account: `'${account.accountId}'`,
    key: `'${account.apiKeyId}'`,
    source: "'api'",
    request_name: "'req'",
    family: "'text'",
    dialect: "null",
    p_model: "'test-model'",
    price: account.priceVersionId,
    version: "null",
    ppm: "1000000",
    quote: "5",
    amount: "5",
    minimum: "5",
    sha: "sha256('x')",
    seconds: "60",
    ...changes,
  };
  const named = Object.entries(row).map(([name, value]) => `${name} => ${value}`);
  return `select ledger_hold_one(${named.join(", ")}) as answer`;
}

/** A batch of two holds; of one whose minimum or amount is null, nothing is known but its id. */
const holdsSql = (amounts: string, places = "1, 1") =>
  `select ledger_hold('${ledger.nodeId}', array['${stranger.accountId}'], array['${newOperationId()}', '${newOperationId()}']::uuid[], array[${places}],
     null, array['api', 'api'], array['req', 'req'], array['text', 'text'], null, array['test-model', 'test-model'],
     array[${account.priceVersionId}, ${account.priceVersionId}], null, array[1000000, 1000000], array[5, 5], array[${amounts}]::bigint[], array[1, 1],
     array[sha256('x'), sha256('x')], array[60, 60])`;
/** The same order again after its month was dropped, in which it had stood apart. */
const holdInDroppedMonth = () => {
  const id = newOperationId(Date.UTC(2025, 0, 15));
  return `insert into ledger_archive_drop values ('2025-01-01', 1, ledger_first_id('2025-01-01'), ledger_first_id('2025-02-01'), sha256('a'), sha256('b'), sha256('c'));
    insert into ledger_apart values ('${id}', '2025-01-15', 1); ${holdSql({ p_id: `'${id}'` })}`;
};

const creditSql = (kind: string, ref: string, amount: string) =>
  `insert into ledger_entry (account_id, kind, ref, amount, reason, actor) values ('${account.accountId}', '${kind}', '${ref}', ${amount}, 'r', 'a')`;
const walletSql = (set: string) =>
  `update wallet set ${set} where account_id = '${account.accountId}'`;

const violations: [name: string, sql: () => string, by: string][] = [
  ["a second end of a request", () => endedSql({ id: idOf(settled) }), "request_earlier_pkey"],
  ["a charge above its hold", () => endedSql({ amount: "101" }), "request_within_hold"],
  ["a negative charge", () => endedSql({ amount: "-1" }), "request_within_hold"],
  [
    "a release that charges",
    () => endedSql({ outcome: "'released'", reason: "'x'" }),
    "request_released",
  ],
  [
    "a release without a reason",
    () => endedSql({ outcome: "'released'", amount: "0" }),
    "request_released",
  ],
  ["a charge without usage", () => endedSql({ usage: "null" }), "request_settled"],
  ["a charge without tokens", () => endedSql({ input_tokens: "null" }), "request_settled"],
  ["a charge with negative tokens", () => endedSql({ output_tokens: "-1" }), "request_settled"],
  [
    "an unbounded usage",
    () =>
      endedSql({
        usage: `(select jsonb_agg(sha256(i::text::bytea)) from generate_series(1, 1000) i)`,
      }),
    "request_bounded",
  ],
  ["an outcome of another name", () => endedSql({ outcome: "'post'" }), "request_outcome"],
  [
    "an ended request that changes",
    () => `update request set amount = 1 where id = ${idOf(settled)}`,
    "request_append_only",
  ],
  ["the same request twice", () => openSql({ id: idOf(open) }), "open_request_pkey"],
  [
    "an open request that changes",
    () => `update open_request set hold_amount = 1 where id = ${idOf(open)}`,
    "open_request_never",
  ],
  [
    "a hold with another account's id",
    () => holdSql({ p_id: idOf(open), account: `'${stranger.accountId}'`, key: "null" }),
    "request_of_one_account",
  ],
  [
    "a hold with another account's key",
    () => holdSql({ key: `'${stranger.apiKeyId}'` }),
    "hold_names_what_exists",
  ],
  [
    "a hold with another model's price",
    () => holdSql({ p_model: "'other-model'" }),
    "hold_names_what_exists",
  ],
  ["a hold without a price", () => holdSql({ price: "0" }), "hold_names_what_exists"],
  ["a hold of a version that is not there", () => holdSql({ version: "0" }), "hold_names_what"],
  ["a hold without an amount", () => holdSql({ amount: "null" }), "no payer, amount or minimum"],
  ["a hold without a minimum", () => holdSql({ minimum: "null" }), "no payer, amount or minimum"],
  ["a batch with such a hold", () => holdsSql("null, 5"), "no payer, amount or minimum"],
  ["a batch of holds with fewer amounts", () => holdsSql("5"), "no payer, amount or minimum"],
  ["a batch of holds without amounts", () => holdsSql(""), "no payer, amount or minimum"],
  ["a batch with more payers", () => holdsSql("5, 5", "1, 1, 1"), "no payer, amount or minimum"],
  ["a hold in a dropped month", holdInDroppedMonth, "hold_in_dropped_month"],
  [
    "an end without an amount",
    () =>
      `select ledger_end_one(${idOf(unlimited)}, '${stranger.accountId}', true, null, 0, 0, '{}', null, null, null, null, null, null, null, null, null, null)`,
    '"amount"',
  ],
  [
    "a batch with such an end",
    () =>
      `select ledger_end(array['${stranger.accountId}'], array[${idOf(unlimited)}]::uuid[], array[1], array[true], null, array[0], array[0], array['{}']::jsonb[],
         null, null, null, null, null, null, null, null, null, null)`,
    "not-null",
  ],
  ["a negative hold", () => openSql({ hold_amount: "-1" }), "open_request_amounts"],
  [
    "a hold beyond every bound",
    () => openSql({ hold_amount: "1000000000000001" }),
    "open_request_amounts",
  ],
  ["a multiplier of nothing", () => openSql({ multiplier_ppm: "0" }), "open_request_multiplier"],
  [
    "a deadline in the past",
    () => openSql({ deadline: "now() - interval '1 second'" }),
    "open_request_deadline",
  ],
  ["a hash that is none", () => openSql({ request_sha256: "'x'" }), "open_request_sha256"],
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
    "the end of a wallet",
    () => `delete from wallet where account_id = '${account.accountId}'`,
    "wallet_no_delete",
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

  test("nothing that is valid, and holds nothing for an account without a wallet", async () => {
    await client.query("begin");
    for (const sql of [openSql(), endedSql()]) await client.query(sql);
    const answers: string[] = [];
    for (const sql of [holdSql(), holdSql({ account: "'acct_none'", key: "null" })])
      answers.push(String((await client.query(sql)).rows[0]?.answer));
    await client.query("rollback");
    expect(answers.map((answer) => answer.split(":")[0])).toEqual(["h5", "w"]);
  });
});

test("a hold of an account without a wallet fails, and the others of its batch do not", async () => {
  const unpayable = holdOf({ ...account, accountId: "acct_none" }, 1n);
  const tries = [unpayable, holdOf(stranger, 1n)].map((hold) => ledger.openHold(hold));
  expect(await Promise.allSettled(tries)).toMatchObject([
    { status: "rejected", reason: { code: "internal_error" } },
    { status: "fulfilled", value: { result: "held", amount: 1n } },
  ]);
});
