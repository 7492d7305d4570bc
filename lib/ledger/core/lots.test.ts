import pg from "pg";
import { expect, test } from "vitest";
import {
  charged,
  holdOf,
  openLedgerDatabase,
  releaseOf,
  type SeededAccount,
  seedAccount,
  settleOf,
} from "@/testing/ledger/test-ledger";
import { opened } from "@/testing/unit/opened";
import { auditLedger } from "../audit/audit";
import { lotRules } from "../audit/audit-lots";
import { type Scope, wholeScope } from "../audit/audit-scope";
import { creditLot, expireLots } from "./lots";

const database = await opened(openLedgerDatabase());
const client = database.client;

const hour = 3_600_000;
let made = 0;
const give = (account: SeededAccount, amount: bigint, hours: number, source = "acp_1") =>
  creditLot(client, {
    accountId: account.accountId,
    kind: "plan",
    ref: `${source}:${++made}`,
    amount,
    reason: "test",
    actor: "system",
    endsAt: new Date(Date.now() + hours * hour),
  });
const spend = (account: SeededAccount, amount: bigint) => charged(database.ledger, account, amount);
/** What is left of each lot and what of it is held, in the order of their use. */
async function lots({ accountId }: SeededAccount): Promise<string[]> {
  const { rows } = await client.query<{ line: string }>(
    "select left_now || '/' || held_now as line from point_lot_now where account_id = $1 order by ends_at, id",
    [accountId],
  );
  return rows.map(({ line }) => line);
}
const available = async ({ accountId }: SeededAccount) =>
  (await database.ledger.balance(accountId)).available;
const end = (source: string, share = 0, carriedTo: Date | null = null) => ({
  source,
  share,
  carriedTo,
});

test("points are used in the order of their end, then of their age, then those without an end", async () => {
  const account = await seedAccount(client, database.ledger, 100n);
  await give(account, 30n, 2);
  await give(account, 20n, 1);
  await give(account, 10n, 2);
  await spend(account, 25n);
  expect(await lots(account)).toEqual(["0/0", "25/0", "10/0"]);
  await give(account, 5n, 1);
  await spend(account, 33n);
  expect(await lots(account)).toEqual(["0/0", "0/0", "7/0"]);
  await spend(account, 100n);
  expect(await available(account)).toBe(7n);
});

test("an expiry takes what is left and is not held, and later what a hold gives back", async () => {
  const account = await seedAccount(client, database.ledger, 100n);
  await give(account, 50n, -1);
  const [first, second] = [holdOf(account, 20n), holdOf(account, 10n)];
  for (const hold of [first, second]) await database.ledger.openHold(hold);
  expect(await lots(account)).toEqual(["50/30"]);
  expect(await expireLots(client, account.accountId, new Date())).toBe(20n);
  expect(await expireLots(client, account.accountId, new Date())).toBe(0n);
  await database.ledger.settle(settleOf(first, 12n));
  expect(await lots(account)).toEqual(["18/10"]);
  expect(await expireLots(client, account.accountId, new Date())).toBe(8n);
  await database.ledger.release(releaseOf(second));
  expect(await expireLots(client, account.accountId, new Date())).toBe(10n);
  expect(await available(account)).toBe(100n);
});

test("a source's lots end early or go on in part, and no others do", async () => {
  const account = await seedAccount(client, database.ledger, 0n);
  await give(account, 100n, 1, "acp_a");
  await give(account, 40n, 2, "acp_b");
  const hold = holdOf(account, 11n);
  await database.ledger.openHold(hold);
  const later = new Date(Date.now() + 3 * hour);
  // Of 89 that are not held, half goes on, rounded down; what is held does too.
  expect(await expireLots(client, account.accountId, end("acp_a", 500_000, later))).toBe(45n);
  expect(await lots(account)).toEqual(["40/11", "55/0"]);
  await database.ledger.release(releaseOf(hold));
  expect(await expireLots(client, account.accountId, end("acp_a"))).toBe(55n);
  expect(await lots(account)).toEqual(["40/0"]);
});

test("the same points are given once, and points without a wallet never", async () => {
  const account = await seedAccount(client, database.ledger, 0n);
  const request = {
    accountId: account.accountId,
    kind: "plan",
    ref: "acp_once:1",
    amount: 5n,
    reason: "test",
    actor: "system",
    endsAt: new Date(Date.now() + hour),
  } as const;
  const pool = new pg.Pool({ connectionString: database.url });
  const given = await Promise.all([1, 2, 3].map(() => creditLot(pool, request)));
  await pool.end();
  expect(given.sort()).toEqual([false, false, true]);
  await expect(creditLot(client, { ...request, accountId: "acct_none" })).rejects.toMatchObject({
    code: "not_found",
  });
});

const rulesOf = (scope: Scope) =>
  lotRules(scope)
    .map(({ sql }) => `select broken from (${sql}) r`)
    .join(" union all ");
const scopes = [wholeScope, { ...wholeScope, isNew: true }];

test("the database refuses a lot below zero, and to remove lots", async () => {
  const changes = [
    "update point_lot set left_amount = -1",
    "delete from point_lot",
    "delete from point_lot_mark",
    "truncate point_lot",
    "truncate point_lot_mark",
  ];
  for (const change of changes)
    await expect(client.query(change), change).rejects.toMatchObject({
      code: expect.stringMatching(/^(23000|23514)$/),
    });
});

test("the audit finds every way in which lots and entries can differ", async () => {
  const failing = async () => (await auditLedger(client)).checks.filter(({ ok }) => !ok);
  expect(await failing()).toEqual([]);
  await client.query("begin");
  await client.query("set local session_replication_role = replica");
  for (const damage of [
    "update point_lot set left_amount = left_amount + 1000, amount = amount + 1000",
    "update point_lot set expired = expired - 1 where expired > 0",
    "delete from point_lot where id = (select max(id) from point_lot)",
    "delete from point_lot_mark",
    "update point_lot_mark set debits_folded = 0",
    "update point_lot set source = 'acp_other'",
  ]) {
    await client.query("savepoint before");
    await client.query(damage);
    for (const scope of scopes) {
      const { rows } = await client.query(rulesOf(scope));
      expect([damage, scope.isNew, rows.length > 0]).toEqual([damage, scope.isNew, true]);
    }
    await client.query("rollback to before");
  }
  await client.query("rollback");
});
