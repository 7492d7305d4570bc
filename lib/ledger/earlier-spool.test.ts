/**
 * Tests the update of a database whose processes had points leases and were killed: all points come
 * back, and what was in their spool is charged once.
 */
import { readdirSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import pg from "pg";
import { afterAll, beforeAll, expect, test } from "vitest";
import { openReleaseBefore, type ReleaseBefore } from "@/testing/db/release-before";
import {
  connect,
  holdOf,
  newSpoolFolder,
  openTestLedger,
  releaseOf,
  type SeededAccount,
  seedAccount,
  settleOf,
} from "@/testing/ledger/test-ledger";
import { newOperationId } from "../ids";
import { type ArchivedRow, requestsBetween, rowsOfLines } from "./archive-rows";
import { auditLedger } from "./audit";
import { auditSealed } from "./audit-sealed";
import { holdText, releaseText, settleText } from "./batch-text";
import { openSpooledHold, type SpooledEnd } from "./earlier-spool";
import type { OpenLedger } from "./ledger";
import { sealLedger } from "./seal";
import { openSpool, storeId } from "./spool";
import { countAll } from "./usage-counter";
import type { HoldRequest } from "./verbs";

const DEAD = "node_dead";
const HOUR_MS = 3_600_000;
const POINTS = 1_000_000n;
const everything = {
  starts: "00000000-0000-0000-0000-000000000000",
  below: "ffffffff-ffff-ffff-ffff-ffffffffffff",
};

let url: string;
let release: ReleaseBefore;
let owner: pg.Client;
let plain: OpenLedger;
const spoolFolder = newSpoolFolder();

beforeAll(async () => {
  release = await openReleaseBefore();
  url = release.ownerUrl;
  owner = await connect(url);
  plain = await openTestLedger(url);
}, 60_000);
afterAll(async () => {
  await plain?.close();
  await owner?.end();
});

/** A hold with its end, as such a process wrote them. */
const wholeOf = (hold: HoldRequest, end: string): string =>
  `{${holdText(hold).slice(0, -1)},"node":"${DEAD}","held":${hold.holdAmount},"age":5,${end}`;
const settled = (hold: HoldRequest, amount: bigint) =>
  wholeOf(hold, settleText(settleOf(hold, amount)));

type List = "wholes" | "written" | "acts";

async function applyLeased({ accountId }: SeededAccount, list: List, item: string) {
  const lists = ["wholes", "written", "acts"].map((name) => (name === list ? `[${item}]` : null));
  const { rows } = await owner.query<{ answer: string }>(
    "select ledger_apply_leased($1, $2, null, null, $3, $4, $5) as answer",
    [DEAD, [accountId], ...lists],
  );
  return rows[0]?.answer;
}
const numbered = (text: string) => `{"i":0,${text.slice(1)}`;

async function lease(account: SeededAccount, amount: bigint): Promise<void> {
  const act = `{"i":0,"account":"${account.accountId}","act":1,"kind":"take","amount":${amount},"rest":1,"first":true}`;
  expect(await applyLeased(account, "acts", act)).toBe(`;;;;t${amount}`);
}

async function archivedRows({
  accountId,
}: SeededAccount): Promise<(ArchivedRow & { line: string })[]> {
  const found: (ArchivedRow & { line: string })[] = [];
  for await (const rows of requestsBetween(owner, everything)) found.push(...rows);
  return found.filter((row) => row.account_id === accountId);
}

const endsOf = async (holds: readonly HoldRequest[]) => {
  const { rows } = await owner.query<{ id: string; end: string }>(
    "select operation_id as id, outcome || ' ' || amount as end from settlement where operation_id = any($1::uuid[])",
    [holds.map(({ operationId }) => operationId)],
  );
  const ends = new Map(rows.map(({ id, end }) => [id, end]));
  return holds.map(({ operationId }) => ends.get(operationId));
};
const spooled = () => readdirSync(spoolFolder).filter((name) => name.includes(".spool"));
const expectClean = async () => {
  const reports = [await auditLedger(owner), await auditSealed(owner, { isFull: true })];
  for (const { checks } of reports) expect(checks.filter(({ ok }) => !ok)).toEqual([]);
};

test("after kill -9 of a process with leases the update returns them, its spool is charged once, and seals and archives stay valid", async () => {
  await owner.query(
    "insert into node (id, store_id, lease_until) values ($1, $2, now() + interval '1 hour')",
    [DEAD, storeId(spoolFolder)],
  );
  const account = await seedAccount(owner, plain, POINTS);
  await lease(account, 500_000n);
  const old = holdOf(account, 50n, { operationId: newOperationId(Date.now() - 3 * HOUR_MS) });
  expect(await applyLeased(account, "wholes", numbered(settled(old, 5n)))).toContain("l5");
  await countAll(owner);
  await sealLedger(owner);
  // Ended, and its process did not learn of it; open in the database; in the memory of the process.
  const known = holdOf(account, 50n);
  expect(await applyLeased(account, "wholes", numbered(settled(known, 7n)))).toContain("l7");
  const written = holdOf(account, 50n);
  const text = `${wholeOf(written, "").slice(0, -1)}}`;
  expect(await applyLeased(account, "written", numbered(text))).toContain("w");
  const [paid, dear, failed] = [holdOf(account, 50n), holdOf(account, 50n), holdOf(account, 50n)];
  openSpool(spoolFolder, DEAD).append([
    settled(known, 7n),
    settled(written, 9n),
    settled(paid, 30n),
    settled(dear, 80n),
    wholeOf(failed, releaseText(releaseOf(failed))),
  ]);
  writeFileSync(join(spoolFolder, `${DEAD}.00000000.holds`), "");
  const archived = await archivedRows(account);
  expect(archived.map(({ amount }) => amount)).toEqual(["5", "7"]);
  const { rows } = await owner.query("select leased from wallet where account_id = $1", [
    account.accountId,
  ]);
  expect(rows).toEqual([{ leased: String(500_000 - 5 - 7 - 50) }]);
  const before = await plain.balance(account.accountId);
  expect(before).toEqual({ available: POINTS - 62n, held: 50n });

  await release.upgrade();
  expect(await plain.balance(account.accountId)).toEqual(before);
  const all = holdOf(account, before.available);
  expect(await plain.openHold(all)).toMatchObject({ result: "held", amount: before.available });
  await plain.release(releaseOf(all));

  const next = await openTestLedger(url, { spoolFolder });
  await owner.query("update node set lease_until = now() - interval '1 second' where id = $1", [
    DEAD,
  ]);
  for (let sweeps = 0; sweeps < 2; sweeps++) {
    await next.sweep();
    expect(await endsOf([old, known, written, paid, dear, failed])).toEqual([
      "settled 5",
      "settled 7",
      "settled 9",
      "settled 30",
      "settled 50",
      "released 0",
    ]);
    const charged = 5n + 7n + 9n + 30n + 50n;
    const balance = { available: POINTS - charged, held: 0n };
    expect(await next.balance(account.accountId)).toEqual(balance);
  }
  expect(spooled()).toEqual([]);
  await countAll(owner);
  await sealLedger(owner);
  await expectClean();
  const read = await rowsOfLines(
    owner,
    archived.map(({ line }) => line),
  );
  expect(read.map(({ hash, is_same }) => [hash, is_same])).toEqual(
    archived.map(({ hash }) => [hash, true]),
  );
  await next.close();
});

test("a spooled charge that an account can no longer pay is set aside, and the others are charged", async () => {
  const [rich, poor] = [await seedAccount(owner, plain, 100n), await seedAccount(owner, plain, 9n)];
  const [paid, unpaid] = [holdOf(rich, 50n), holdOf(poor, 50n)];
  openSpool(spoolFolder, "node_gone").append([settled(unpaid, 10n), settled(paid, 10n)]);
  const next = await openTestLedger(url, { spoolFolder });
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
  const first = await openTestLedger(url, { spoolFolder });
  openSpool(spoolFolder, "node_gone").append([record]);
  const facts: SpooledEnd = JSON.parse(record);
  const pool = new pg.Pool({ connectionString: url });
  expect(await openSpooledHold(pool, first.nodeId, facts, () => {})).toBe(true);
  expect(await first.balance(account.accountId)).toEqual({ available: 50n, held: 50n });
  await owner.query("update node set lease_until = now() - interval '1 second' where id = $1", [
    first.nodeId,
  ]);
  const second = await openTestLedger(url, { spoolFolder });
  await second.sweep();
  expect(await endsOf([hold])).toEqual(["settled 10"]);
  expect(await second.balance(account.accountId)).toEqual({ available: 90n, held: 0n });
  await Promise.all([first.close(), second.close(), pool.end()]);
  await expectClean();
});
