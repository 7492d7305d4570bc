/** Tests what becomes of points leases, and of the holds against them, when a process ends. */
import { mkdirSync, rmSync, writeFileSync } from "node:fs";
import type pg from "pg";
import { afterAll, beforeAll, expect, test } from "vitest";
import {
  expectExact,
  leasable,
  leasedOf,
  requests,
  warmUp,
  wholeOf,
} from "@/testing/ledger/leasing";
import {
  type LedgerDatabase,
  newSpoolFolder,
  openLedgerDatabase,
  openTestLedger,
  seedAccount,
  settleOf,
} from "@/testing/ledger/test-ledger";
import { auditLedger, runRowRules } from "./audit";
import { leaseChecks } from "./audit-leases";
import { wholeScope } from "./audit-scope";
import { holdLogs } from "./hold-log";
import type { OpenLedger } from "./ledger";

let database: LedgerDatabase;
let url: string;
let client: pg.Client;
let plain: OpenLedger;
beforeAll(async () => {
  database = await openLedgerDatabase();
  ({ url, client, ledger: plain } = database);
});
afterAll(() => database?.close());

const failingChecks = async () => (await auditLedger(client)).checks.filter(({ ok }) => !ok);
const quiet = { heartbeatMs: 60_000 };
const crash = (ledger: OpenLedger) =>
  client.query("update node set lease_until = now() - interval '1 second' where id = $1", [
    ledger.nodeId,
  ]);
const leasesOf = async (ledger: OpenLedger) =>
  (await client.query("select from points_lease where node_id = $1", [ledger.nodeId])).rowCount;

test("what a dead process held in memory is written down as released with its loss, then its leases come back", async () => {
  const spoolFolder = newSpoolFolder();
  const dead = await openTestLedger(url, { spoolFolder, leasesPoints: true, timings: quiet });
  const other = await openTestLedger(url, { spoolFolder });
  const account = await seedAccount(client, plain, 1_000_000n);
  const done = await warmUp(client, dead, account);
  const holds = [leasable(account, 50n), leasable(account, 50n)] as const;
  // One that the database refuses keeps nothing else waiting.
  await dead.openHold({ ...leasable(account, 50n), priceVersionId: "999999999" });
  for (const hold of holds) await dead.openHold(hold);
  const known = await client.query("select from operation where id = $1", [holds[0].operationId]);
  expect(known.rowCount).toBe(0);
  await other.sweep();
  expect(await leasesOf(dead)).toBe(1);
  await crash(dead);
  await other.sweep();
  expect(await leasesOf(dead)).toBe(0);
  const { rows } = await client.query(
    `select s.outcome, s.reason, l.cause, l.estimate from settlement s join operator_loss l using (operation_id)
      where operation_id = any($1::uuid[])`,
    [holds.map(({ operationId }) => operationId)],
  );
  const lost = { outcome: "released", reason: "crash_unknown", cause: "crash_unknown" };
  expect(rows).toEqual([
    { ...lost, estimate: "50" },
    { ...lost, estimate: "50" },
  ]);
  expect(holdLogs(spoolFolder, () => true)).toEqual([]);
  await expectExact(client, plain, account, [...done, ...holds], 1_000_000n);
  // It was only suspended: its requests had ended.
  expect(await dead.settle(settleOf(holds[0], 5n))).toEqual({
    result: "already",
    outcome: "released",
    amount: 0n,
  });
  expect(await failingChecks()).toEqual([]);
  await Promise.all([dead.close(), other.close()]);
});

test("a process that lost its leases while it was suspended charges what it delivers, and takes new ones", async () => {
  const suspended = await openTestLedger(url, {
    leasesPoints: true,
    timings: { heartbeatMs: 300 },
  });
  const account = await seedAccount(client, plain, 1_000_000n);
  const done = await warmUp(client, suspended, account);
  await client.query("delete from node where id = $1", [suspended.nodeId]);
  expect(await leasedOf(client, account)).toBe(0);
  done.push(...(await requests(suspended, account, (n) => n === 40)));
  await expectExact(client, plain, account, done, 1_000_000n);
  expect(await failingChecks()).toEqual([]);
  const before = await wholeOf(client, account);
  await client.query("update wallet set leases_from = null, version = version + 1");
  done.push(
    ...(await requests(
      suspended,
      account,
      async (n) => n % 20 === 0 && (await wholeOf(client, account)) > before + 40,
    )),
  );
  await expectExact(client, plain, account, done, 1_000_000n);
  await suspended.close();
  expect(await failingChecks()).toEqual([]);
}, 60_000);

test("the lease of a machine that is lost comes back when its node is given up", async () => {
  const lost = await openTestLedger(url, { leasesPoints: true, timings: quiet });
  const account = await seedAccount(client, plain, 1_000_000n);
  const done = await warmUp(client, lost, account);
  await lost.openHold(leasable(account, 50n));
  await crash(lost);
  await plain.sweep();
  expect(await leasesOf(lost)).toBe(1);
  await plain.releaseNode(lost.nodeId, "cli");
  expect(await leasesOf(lost)).toBe(0);
  await expectExact(client, plain, account, done, 1_000_000n);
  expect(await failingChecks()).toEqual([]);
  await lost.close(0);
});

test("a key gets no first limit while a dead process may have its requests in memory", async () => {
  const { accountId, apiKeyId } = await seedAccount(client, plain, 1_000_000n);
  await client.query(
    "insert into node (id, store_id, lease_until) values ('node_far', 'far', now() - interval '1 minute')",
  );
  await client.query(
    "insert into points_lease (account_id, node_id, amount, act, granted) values ($1, 'node_far', 500, 1, 500)",
    [accountId],
  );
  await client.query(
    "update wallet set leased = 500, version = version + 1 where account_id = $1",
    [accountId],
  );
  await expect(plain.setKeyBudget(apiKeyId, accountId, 100n)).rejects.toMatchObject({
    code: "service_busy",
  });
  const set = client.query("select ledger_set_key_budget($1, $2, 100)", [apiKeyId, accountId]);
  await expect(set).rejects.toMatchObject({ code: "55P03" });
  await plain.releaseNode("node_far", "cli");
  await plain.setKeyBudget(apiKeyId, accountId, 100n);
  expect(await failingChecks()).toEqual([]);
});

test("a clean close leaves neither leases nor files behind", async () => {
  const spoolFolder = newSpoolFolder();
  const ledger = await openTestLedger(url, { spoolFolder, leasesPoints: true });
  const account = await seedAccount(client, plain, 1_000_000n);
  await warmUp(client, ledger, account);
  expect(await leasesOf(ledger)).toBe(1);
  await ledger.close();
  expect(await leasesOf(ledger)).toBe(0);
  expect(await leasedOf(client, account)).toBe(0);
  expect(holdLogs(spoolFolder, () => true)).toEqual([]);
});

test("without room for the log, holds are asked of the database", async () => {
  const spoolFolder = newSpoolFolder();
  const ledger = await openTestLedger(url, { spoolFolder, leasesPoints: true, timings: quiet });
  const account = await seedAccount(client, plain, 1_000_000n);
  // A file where the folder was.
  rmSync(spoolFolder, { recursive: true });
  writeFileSync(spoolFolder, "");
  const done = await requests(ledger, account, (n) => n === 60);
  expect(await leasedOf(client, account)).toBeGreaterThan(0);
  expect(await wholeOf(client, account)).toBe(0);
  rmSync(spoolFolder);
  mkdirSync(spoolFolder);
  await expectExact(client, plain, account, done, 1_000_000n);
  await ledger.close();
});

test("a process of the release before counts what others have leased", async () => {
  const ledger = await openTestLedger(url, { leasesPoints: true, timings: quiet });
  const account = await seedAccount(client, plain, 100_000n);
  await warmUp(client, ledger, account);
  const { available } = await plain.balance(account.accountId);
  const free = available - BigInt(await leasedOf(client, account));
  const hold = leasable(account, available);
  const item = {
    i: 0,
    id: hold.operationId,
    account: account.accountId,
    key: account.apiKeyId,
    source: "api",
    request: "r",
    family: "text",
    model: "test-model",
    price: Number(account.priceVersionId),
    ppm: 1_000_000,
    quote: 1,
    amount: Number(available),
    least: Number(available),
    sha: "00".repeat(32),
    seconds: 60,
  };
  const { rows } = await client.query<{ answer: string }>(
    "select ledger_apply($1, $2, null, $3) as answer",
    [plain.nodeId, [account.accountId], JSON.stringify([item])],
  );
  expect(rows[0]?.answer).toBe(`;i${free}:0`);
  await ledger.close();
});

test("the audit finds leases that do not add up, or of a process that is gone or long dead", async () => {
  const account = await seedAccount(client, plain, 1000n);
  const broken = async (...statements: string[]) => {
    await client.query("begin");
    for (const sql of statements) await client.query(sql);
    const found: string[] = [];
    for (const { name, sql } of leaseChecks)
      if ((await client.query(sql)).rowCount) found.push(name);
    const checks = await runRowRules(client, wholeScope);
    found.push(...checks.filter(({ ok }) => !ok).map(({ name }) => name));
    await client.query("rollback");
    return found;
  };
  const { accountId } = account;
  const lease = (node: string) =>
    `insert into points_lease (account_id, node_id, amount, act, granted) values ('${accountId}', '${node}', 0, 1, 0)`;
  const [sum, owner, dead] = leaseChecks.map(({ name }) => name);
  expect(await broken()).toEqual([]);
  const grown = `update wallet set leased = 1, version = version + 1 where account_id = '${accountId}'`;
  expect(await broken(grown)).toEqual([sum]);
  expect(await broken(lease("node_gone"))).toEqual([owner]);
  const node =
    "insert into node (id, store_id, lease_until) select 'node_old', store_id, now() - interval '2 hours' from node where lease_until > now() limit 1";
  expect(await broken(node, lease("node_old"))).toEqual([dead]);
  expect(
    await broken(
      "alter table operation disable trigger all",
      `insert into operation (id, account_id, source, request_id, family, model, price_version_id, multiplier_ppm, quote_amount, hold_amount,
         request_sha256, deadline, is_whole)
         values (gen_random_uuid(), '${accountId}', 'api', 'r', 'text', 'm', 1, 1, 1, 1, sha256(''), now() + interval '1 hour', true)`,
    ),
  ).toContain("every operation that was written whole has its end, of the same commit");
});
