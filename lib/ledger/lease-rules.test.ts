/** Who may lease points, who is refused meanwhile, and who gives back what a dead process leased. */
import type pg from "pg";
import { afterAll, beforeAll, expect, test } from "vitest";
import { createTestDatabase } from "@/testing/db/test-database";
import { LeaseStatements } from "@/testing/ledger/lease-statements";
import {
  connect,
  openTestLedger,
  type SeededAccount,
  seedAccount,
} from "@/testing/ledger/test-ledger";
import { auditLedger } from "./audit";
import type { OpenLedger } from "./ledger";
import { noOutcome } from "./verbs";

let client: pg.Client;
let ledger: OpenLedger;

beforeAll(async () => {
  const url = await createTestDatabase();
  client = await connect(url);
  ledger = await openTestLedger(url, { timings: { heartbeatMs: 60_000 } });
});
afterAll(async () => {
  await ledger?.close();
  await client?.end();
});

const one = async (sql: string, values: unknown[] = []): Promise<unknown> =>
  Object.values((await client.query(sql, values)).rows[0] ?? {})[0];
const broken = async () =>
  (await auditLedger(client)).checks.filter(({ ok }) => !ok).map(({ name }) => name);

interface Stage {
  readonly account: SeededAccount;
  readonly statements: LeaseStatements;
  lease(points: number, least?: number): Promise<unknown>;
}

async function newStage(): Promise<Stage> {
  const account = await seedAccount(client, ledger, 1000n);
  const statements = new LeaseStatements(client, [account]);
  await statements.register();
  const lease = (points: number, least = points) =>
    one("select ledger_lease($1, $2, $3, $4, $5)", [
      statements.node,
      crypto.randomUUID(),
      account.accountId,
      points,
      least,
    ]);
  return { account, statements, lease };
}

test("a lease gets at most a quarter of what is available, and counts as held", async () => {
  const { account, lease } = await newStage();
  expect(await lease(400, 251)).toBe("i1000");
  expect(await lease(400, 250)).toBe("l250");
  expect(await ledger.balance(account.accountId)).toEqual({ available: 750n, held: 250n });
  expect(await broken()).toEqual([]);
});

test("accounts with a budgeted key, suspended accounts and dead processes lease nothing", async () => {
  const { account, statements, lease } = await newStage();
  await ledger.setKeyBudget(account.apiKeyId, account.accountId, 500n);
  expect(await lease(100)).toBe("b");
  await ledger.setKeyBudget(account.apiKeyId, account.accountId, null);
  await client.query("update account set status = 'suspended' where id = $1", [account.accountId]);
  expect(await lease(100)).toBe("x");
  await client.query("update account set status = 'active' where id = $1", [account.accountId]);
  await client.query("update node set lease_until = now() where id = $1", [statements.node]);
  expect(await lease(100)).toBe("n");
});

test("while points are leased, a key gets no budget and the account is not erased", async () => {
  const { account, lease } = await newStage();
  expect(await lease(100)).toBe("l100");
  await expect(
    ledger.setKeyBudget(account.apiKeyId, account.accountId, 500n),
  ).rejects.toMatchObject({ code: "database_unavailable" });
  await ledger.setKeyBudget(account.apiKeyId, account.accountId, null);
  expect(await one("select account_erase($1)", [account.accountId])).toBe(1);
  expect(await one("select status from account where id = $1", [account.accountId])).toBe("active");
});

test("a lease goes back only for the process that has it", async () => {
  const { account, statements } = await newStage();
  const lease = crypto.randomUUID();
  await statements.lease(lease, 0, 80);
  expect(await one("select ledger_return_leases('another', $1)", [[lease]])).toBe(0);
  expect((await ledger.balance(account.accountId)).held).toBe(80n);
  expect(await one("select ledger_return_leases($1, $2)", [statements.node, [lease]])).toBe(1);
  expect(await one("select ledger_return_leases($1, $2)", [statements.node, [lease]])).toBe(0);
  expect((await ledger.balance(account.accountId)).held).toBe(0n);
});

test("leases of a dead process go back with the sweep, those of a living one do not", async () => {
  const { account, statements, lease } = await newStage();
  expect(await lease(100)).toBe("l100");
  await ledger.sweep();
  expect((await ledger.balance(account.accountId)).held).toBe(100n);
  const store = ledger.spoolState().store;
  await client.query("update node set store_id = $2, lease_until = now() where id = $1", [
    statements.node,
    store,
  ]);
  await ledger.sweep();
  expect(await ledger.balance(account.accountId)).toEqual({ available: 1000n, held: 0n });
  expect(await one("select count(*)::int from node where id = $1", [statements.node])).toBe(0);
  expect(await broken()).toEqual([]);
});

test("giving a node up returns its leases; an end that comes later is released, with a loss", async () => {
  const { account, statements } = await newStage();
  const lease = crypto.randomUUID();
  expect(await statements.lease(lease, 0, 80)).toEqual([80, 0]);
  await client.query("update node set lease_until = now() where id = $1", [statements.node]);
  await ledger.releaseNode(statements.node, "cli");
  expect(await ledger.balance(account.accountId)).toEqual({ available: 1000n, held: 0n });
  const operation = statements.newOperation(0, 50, lease);
  expect((await statements.end([{ operation, amount: 30 }]))[0]).toBe("l");
  expect((await statements.end([{ operation, amount: 30 }]))[0]).toBe("R0");
  expect(
    await one("select estimate from operator_loss where operation_id = $1", [operation.id]),
  ).toBe("30");
  expect(await ledger.balance(account.accountId)).toEqual({ available: 1000n, held: 0n });
  expect(await broken()).toEqual([]);
});

test("a lease cannot grow, and an operation of a lease cannot be written without its end", async () => {
  const { statements } = await newStage();
  const lease = crypto.randomUUID();
  await statements.lease(lease, 0, 80);
  const grow = client.query("update points_lease set points = points + 1 where id = $1", [lease]);
  await expect(grow).rejects.toMatchObject({ code: "23000" });
  const operation = statements.newOperation(0, 50, lease);
  await statements.writeDown([operation]);
  const copy = client.query(
    `insert into operation select gen_random_uuid(), account_id, api_key_id, source, request_id, family, model, price_version_id, multiplier_ppm,
       quote_amount, hold_amount, request_sha256, node_id, created_at, deadline, dialect, true from operation where id = $1`,
    [operation.id],
  );
  await expect(copy).rejects.toMatchObject({ constraint: "operation_leased_has_ended" });
  // Beyond what the lease still has: the database refuses the whole batch.
  const two = [1, 2].map(() => ({ operation: statements.newOperation(0, 30, lease), amount: 30 }));
  await expect(statements.end(two)).rejects.toMatchObject({ constraint: "points_lease_points" });
  const { accountId } = statements.seeded(0);
  const outcome = { ...noOutcome, durationMs: 1 };
  await ledger.release({
    operationId: operation.id,
    accountId,
    reason: "test",
    loss: null,
    outcome,
  });
  expect(await broken()).toEqual([]);
});
