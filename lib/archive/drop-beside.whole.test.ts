/** A month is dropped while the product works, and what works afterwards without its rows. */
import { readdirSync, rmSync } from "node:fs";
import { join } from "node:path";
import pg from "pg";
import { expect, test, vi } from "vitest";
import { createTestDatabase, ownerUrlOf } from "@/testing/db/test-database";
import { type ArchivedMonths, openArchivedMonths } from "@/testing/ledger/archived-months";
import {
  connect,
  holdOf,
  newSpoolFolder,
  openTestLedger,
  seedAccount,
  settleOf,
} from "@/testing/ledger/test-ledger";
import { opened } from "@/testing/unit/opened";
import { createBackup } from "../backup/create-backup";
import { restoreBackup } from "../backup/restore-backup";
import { newOperationId } from "../crypto/ids";
import { APPLICATION_ROLE } from "../db/embedded";
import { MONTHS_LOCK } from "../db/kept-months";
import { applyMigrations } from "../db/migrate";
import { type Month, monthOf, partsOf } from "../ledger/archive/archive-register";
import { MONTHS_AHEAD, makePartitions } from "../ledger/archive/partitions";
import { AUDIT_LOCK, runAudit } from "../ledger/audit/audit-runs";
import { settleRow, spoolRecord } from "../ledger/core/rows";
import { openSpool } from "../ledger/core/spool";
import { pause } from "../timing/pause";
import { archivedFiles } from "./archived-files";
import { dropMonth } from "./drop-month";
import { keepRequests } from "./keep-requests";

// Full audits on a busy machine.
vi.setConfig({ testTimeout: 120_000 });

/** What the last full audit of the scene said. */
let latest: Awaited<ReturnType<ArchivedMonths["audit"]>>;
const spoolFolder = newSpoolFolder();
const project = join(import.meta.dirname, "../..");

const scene = await opened(openArchivedMonths());
const ledger = await opened(openTestLedger(scene.url, { spoolFolder }));
const account = await seedAccount(scene.owner, ledger, 1_000_000n);

const drop = (place: number, options: Parameters<typeof dropMonth>[2] = {}) =>
  dropMonth(
    { owner: scene.owner, reader: scene.product, blobs: scene.blobs },
    scene.month(place),
    options,
  );
/** Between the tests: a ledger that is broken stays so, and the audits of the later tests find it. */
async function expectClean(): Promise<void> {
  expect((await scene.audit()).broken).toEqual([]);
}
const spend = async (operationId = newOperationId()) => {
  const hold = holdOf(account, 10n, { operationId });
  const startedAt = performance.now();
  await ledger.openHold(hold);
  await ledger.settle(settleOf(hold, 4n));
  return performance.now() - startedAt;
};

test("an audit and a backup that run keep the month until they are over", async () => {
  const { other, rowsOf, month } = scene;
  const rows = await rowsOf(month(1));
  for (const [lock, reason] of [
    [AUDIT_LOCK, /an audit is running/],
    [MONTHS_LOCK, /a backup, or the audit of a day, is running/],
  ] as const) {
    await other.query("select pg_advisory_lock_shared($1)", [lock]);
    await expect(drop(1, { patienceMs: 0 })).rejects.toThrow(reason);
    await other.query("select pg_advisory_unlock_shared($1)", [lock]);
  }
  expect(await rowsOf(month(1))).toBe(rows);
});

test("a read that never ends keeps the month, and requests do not wait meanwhile", async () => {
  const { other, product, rowsOf, month, owner, blobs } = scene;
  await other.query("begin; select from request where id = gen_random_uuid()");
  const rows = await rowsOf(month(1));
  let isOver = false;
  const waits: number[] = [];
  const dropping = dropMonth({ owner, reader: product, blobs }, month(1), {
    patienceMs: 3000,
  })
    .then(String, (error: Error) => error.message)
    .finally(() => {
      isOver = true;
    });
  for (; !isOver; await pause(10)) waits.push(await spend());
  expect(await dropping).toMatch(/a query reads the requests for longer than a moment/);
  await other.query("rollback");
  expect(await rowsOf(month(1))).toBe(rows);
  expect(waits.length).toBeGreaterThan(5);
  expect(waits.filter((wait) => wait > 1500)).toEqual([]);
});

test("two at once drop a month once, while requests and audits run", async () => {
  const { url, month, owner, other, product, blobs } = scene;
  const wallets = await scene.wallets();
  const second = new pg.Client({ connectionString: url });
  await second.connect();
  let isOver = false;
  const places = [
    { owner, reader: product, blobs },
    { owner: other, reader: second, blobs },
  ];
  const audits: boolean[] = [];
  async function auditAll(): Promise<void> {
    const client = await connect(url);
    for (; !isOver; await pause(100)) {
      const report = await runAudit(client, "test", {
        isFull: true,
        files: archivedFiles(blobs),
      }).catch(() => null);
      if (report !== null) audits.push(report.ok);
    }
    await client.end();
  }
  async function spendAll(): Promise<void> {
    for (; !isOver; await pause(20)) await spend();
  }
  const beside = [auditAll(), spendAll(), spendAll()];
  const answers = await Promise.allSettled(places.map((place) => dropMonth(place, month(1))));
  isOver = true;
  await Promise.all(beside);
  await second.end();
  expect(
    answers.map((each) => (each.status === "fulfilled" ? each.value : String(each.reason))).sort(),
  ).toEqual([expect.stringContaining("Another process is archiving"), true]);
  expect([audits.length > 0, audits.every(Boolean)]).toEqual([true, true]);
  expect(await scene.rowsOf(month(1))).toBe(0);
  const after = await scene.audit();
  expect([after.broken, after.accounts]).toEqual([[], wallets.length]);
  const others = (each: { account_id: string }) => each.account_id !== account.accountId;
  expect((await scene.wallets()).filter(others)).toEqual(wallets.filter(others));
});

test("the partitions of coming months are made, a dropped one is not made again, and nothing is left to migrate", async () => {
  const { url, product, month, partitions } = scene;
  // A month may have begun since the database was made.
  await makePartitions(product);
  expect(await makePartitions(product)).toBe(0);
  expect(await makePartitions(product, MONTHS_AHEAD + 1)).toBe(1);
  const name = month(1).name.replace("-", "_");
  expect((await partitions()).filter((part) => part.endsWith(name))).toEqual([]);
  const owners = { applicationRole: APPLICATION_ROLE };
  expect(await applyMigrations(ownerUrlOf(url), project, owners)).toEqual([]);
  await expectClean();
});

/** A request's id that is in a file, and one that never was. */
async function idsOf({ name, starts }: Month): Promise<[string, string]> {
  const part = (await partsOf(scene.owner, { ...scene.month(1), starts }))[0];
  const lines = part ? archivedFiles(scene.blobs).lines(part) : [];
  for await (const line of lines)
    return [
      /"id":"([0-9a-f-]{36})"/.exec(line)?.[1] ?? "",
      newOperationId(Date.parse(`${name}-15`)),
    ];
  throw new Error("the month has no requests");
}

test("a request with an id of a dropped month is refused, and other requests are not", async () => {
  for (const id of await idsOf(scene.month(1))) {
    const hold = holdOf(account, 10n, { operationId: id });
    const [refused, taken] = await Promise.allSettled([ledger.openHold(hold), spend()]);
    expect([refused.status, taken.status]).toEqual(["rejected", "fulfilled"]);
  }
  expect(await scene.rowsOf(scene.month(1))).toBe(0);
  await expectClean();
});

test("a spool that returns with requests of a dropped month is set aside, and charges nothing", async () => {
  const balance = await ledger.balance(account.accountId);
  const ids = await idsOf(scene.month(1));
  const node = `node_${crypto.randomUUID()}`;
  const records = ids.map((operationId) => {
    const hold = holdOf(account, 10n, { operationId });
    return spoolRecord(settleRow(settleOf(hold, 4n)));
  });
  openSpool(spoolFolder, node).append(records);
  await ledger.sweep();
  const left = readdirSync(spoolFolder).filter((name) => name.startsWith(node));
  expect(left.filter((name) => name.includes(".spool"))).toEqual([
    expect.stringMatching(/\.spool\.unknown$/),
  ]);
  expect(await ledger.balance(account.accountId)).toEqual(balance);
  await expectClean();
});

test("a backup after the drop is restored, refuses ids of dropped months, and its other months can be dropped", async () => {
  const target = join(spoolFolder, "backup");
  await createBackup(scene.url, target);
  const url = await createTestDatabase();
  const to = { ownerUrl: ownerUrlOf(url), applicationRole: APPLICATION_ROLE };
  await restoreBackup(to, target, project);
  rmSync(target);
  const restored = await connect(url);
  latest = await scene.audit();
  expect(latest.broken).toEqual([]);
  expect(await scene.audit(restored)).toEqual(latest);
  const there = await openTestLedger(url);
  for (const operationId of await idsOf(scene.month(1)))
    await expect(there.openHold(holdOf(account, 10n, { operationId }))).rejects.toThrow();
  const taken = await there.openHold(holdOf(account, 10n));
  expect(taken.result).toBe("held");
  await there.close();
  const { rows } = await restored.query<{ month: string }>(
    `select month::text from ledger_archive a where month > (select max(month) from ledger_archive_drop) order by month limit 1`,
  );
  const next = monthOf(Date.parse(rows[0]?.month ?? ""));
  const reader = await connect(url);
  expect(await dropMonth({ owner: restored, reader, blobs: scene.blobs }, next)).toBe(true);
  expect((await scene.audit(restored)).broken).toEqual([]);
  const parts = await restored.query<{ name: string }>("select name from ledger_partitions()");
  const names = parts.rows.map(({ name }) => name);
  expect(names.length).toBeGreaterThan(4);
  expect(names.filter((name) => name.endsWith(next.name.replace("-", "_")))).toEqual([]);
  await reader.end();
  await restored.end();
});

test("the product's role can neither drop a month nor note it, whatever it calls", async () => {
  const { product, month } = scene;
  const part = month(2).name.replace("-", "_");
  for (const sql of [
    `select ledger_archive_take_out('${month(2).day}')`,
    `select ledger_archive_note_drop('${month(2).day}')`,
    `select ledger_archive_drop_refusal('${month(2).day}')`,
    `drop table request_${part}`,
    `drop table request_${part} cascade`,
    `truncate request_${part}`,
    `alter table request detach partition request_${part}`,
    "alter table request_default disable trigger request_default_only_as_part",
    "do $$ begin lock table request in access exclusive mode; end $$",
  ])
    await expect(product.query(sql), sql).rejects.toMatchObject({ code: "42501" });
  const asProduct = { owner: product, reader: product, blobs: scene.blobs };
  await expect(dropMonth(asProduct, month(2))).rejects.toMatchObject({ code: "42501" });
});

test("what is older than the setting is archived and dropped, younger months stay, and one that shares its partition is named", async () => {
  const { owner, product, blobs, month, count } = scene;
  const place = { owner, reader: product, blobs };
  const before = latest;
  const at = new Date();
  // Full months since the end of the second last month.
  const last = new Date(`${month(count - 2).name}-01`);
  const full =
    12 * (at.getUTCFullYear() - last.getUTCFullYear()) + at.getUTCMonth() - last.getUTCMonth() - 1;
  const kept = await keepRequests(place, full + 1);
  expect(kept).toEqual({
    archived: [month(count - 1).name],
    dropped: Array.from({ length: count - 4 }, (_, at) => month(at + 2).name),
    shared: [month(0).name],
    failed: [],
  });
  expect(await scene.rowsOf(month(count - 2))).toBeGreaterThan(0);
  expect(await scene.audit()).toEqual(before);
  expect(await keepRequests(place, full)).toMatchObject({ dropped: [month(count - 2).name] });
  expect(await keepRequests(place, 600)).toMatchObject({ archived: [], dropped: [], shared: [] });
  rmSync(join(scene.folder, (await partsOf(owner, month(count - 1)))[0]?.file ?? ""));
  const { dropped, failed } = await keepRequests(place, 3);
  expect([dropped, failed]).toEqual([
    [],
    [{ month: month(count - 1).name, reason: expect.stringContaining("is missing") }],
  ]);
});
