/**
 * Tests the spool of a process that had points leases, which wrote an end together with its hold:
 * what was in its memory is charged once.
 */
import { readdirSync } from "node:fs";
import pg from "pg";
import { expect, test } from "vitest";
import {
  holdOf,
  newSpoolFolder,
  openLedgerDatabase,
  openTestLedger,
  releaseOf,
  seedAccount,
  settleOf,
} from "@/testing/ledger/test-ledger";
import { opened } from "@/testing/unit/opened";
import { auditLedger } from "../audit/audit";
import { openSpooledHold } from "./earlier-spool";
import { type Row, releaseRow, settleRow, spoolRecord } from "./rows";
import { openSpool, storeId } from "./spool";
import type { HoldRequest } from "./verbs";

const DEAD = "node_dead";
const POINTS = 1_000_000n;

const spoolFolder = newSpoolFolder();

const database = await opened(openLedgerDatabase());
const { client: owner, ledger: plain } = database;

/** A hold with its end, as such a process wrote them. */
const wholeOf = (hold: HoldRequest, end: Row): string =>
  JSON.stringify({
    id: hold.operationId,
    account: hold.accountId,
    key: hold.apiKeyId,
    source: hold.source,
    request: hold.requestId,
    family: hold.family,
    model: hold.model,
    price: Number(hold.priceVersionId),
    ppm: hold.multiplierPpm,
    quote: Number(hold.quoteAmount),
    least: Number(hold.holdAmountMin),
    sha: Buffer.from(hold.requestSha256).toString("hex"),
    seconds: hold.deadlineSeconds,
    node: DEAD,
    held: Number(hold.holdAmount),
    age: 5,
    ...JSON.parse(spoolRecord(end)),
  });
const settled = (hold: HoldRequest, amount: bigint) =>
  wholeOf(hold, settleRow(settleOf(hold, amount)));

const endsOf = async (holds: readonly HoldRequest[]) => {
  const { rows } = await owner.query<{ id: string; end: string }>(
    "select id, outcome || ' ' || amount as end from request where id = any($1::uuid[])",
    [holds.map(({ operationId }) => operationId)],
  );
  const ends = new Map(rows.map(({ id, end }) => [id, end]));
  return holds.map(({ operationId }) => ends.get(operationId));
};
const spooled = () => readdirSync(spoolFolder).filter((name) => name.includes(".spool"));
const expectClean = async () => {
  expect((await auditLedger(owner)).checks.filter(({ ok }) => !ok)).toEqual([]);
};

test("what a killed process with leases left in its spool is charged once", async () => {
  await owner.query(
    "insert into node (id, store_id, lease_until) values ($1, $2, now() - interval '1 second')",
    [DEAD, storeId(spoolFolder)],
  );
  const account = await seedAccount(owner, plain, POINTS);
  // Ended, and its process did not learn of it; open in the database; in the memory of the process.
  const [known, written] = [holdOf(account, 50n), holdOf(account, 50n)];
  await plain.openHold(known);
  await plain.settle(settleOf(known, 7n));
  await plain.openHold(written);
  const [paid, dear, failed] = [holdOf(account, 50n), holdOf(account, 50n), holdOf(account, 50n)];
  openSpool(spoolFolder, DEAD).append([
    settled(known, 7n),
    settled(written, 9n),
    settled(paid, 30n),
    settled(dear, 80n),
    wholeOf(failed, releaseRow(releaseOf(failed))),
  ]);
  const next = await openTestLedger(database.url, { spoolFolder });
  for (let sweeps = 0; sweeps < 2; sweeps++) {
    await next.sweep();
    expect(await endsOf([known, written, paid, dear, failed])).toEqual([
      "settled 7",
      "settled 9",
      "settled 30",
      "settled 50",
      "released 0",
    ]);
    const charged = 7n + 9n + 30n + 50n;
    const balance = { available: POINTS - charged, held: 0n };
    expect(await next.balance(account.accountId)).toEqual(balance);
  }
  expect(spooled()).toEqual([]);
  await expectClean();
  await next.close();
});

test("a spooled charge that an account can no longer pay is set aside, and the others are charged", async () => {
  const [rich, poor] = [await seedAccount(owner, plain, 100n), await seedAccount(owner, plain, 9n)];
  const [paid, unpaid] = [holdOf(rich, 50n), holdOf(poor, 50n)];
  openSpool(spoolFolder, "node_gone").append([settled(unpaid, 10n), settled(paid, 10n)]);
  const next = await openTestLedger(database.url, { spoolFolder });
  await next.sweep();
  expect(await endsOf([paid, unpaid])).toEqual(["settled 10", undefined]);
  expect(spooled()).toEqual([expect.stringMatching(/\.spool\.unknown$/)]);
  expect(await next.balance(poor.accountId)).toEqual({ available: 9n, held: 0n });
  await next.close();
  await expectClean();
});

test("a process that is killed between such a hold and its end leaves the charge to the next", async () => {
  const account = await seedAccount(owner, plain, 100n);
  const hold = holdOf(account, 50n);
  const record = settled(hold, 10n);
  const first = await openTestLedger(database.url, { spoolFolder });
  openSpool(spoolFolder, "node_gone").append([record]);
  const pool = new pg.Pool({ connectionString: database.url });
  expect(await openSpooledHold(pool, first.nodeId, record, () => {})).toBe(true);
  expect(await first.balance(account.accountId)).toEqual({ available: 50n, held: 50n });
  await owner.query("update node set lease_until = now() - interval '1 second' where id = $1", [
    first.nodeId,
  ]);
  const second = await openTestLedger(database.url, { spoolFolder });
  await second.sweep();
  expect(await endsOf([hold])).toEqual(["settled 10"]);
  expect(await second.balance(account.accountId)).toEqual({ available: 90n, held: 0n });
  await Promise.all([first.close(), second.close(), pool.end()]);
  await expectClean();
});
