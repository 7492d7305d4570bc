/** A month whose requests are only in its files, as the audits see it. */
import { readdirSync, readFileSync, rmSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { beforeAll, expect, test } from "vitest";
import { createTestDatabase, ownerUrlOf } from "@/testing/db/test-database";
import { forge } from "@/testing/ledger/archived-months";
import { dropMonth } from "@/testing/ledger/drop-month";
import { seedHistory } from "@/testing/ledger/sealed-history";
import { connect } from "@/testing/ledger/test-ledger";
import { newFolder } from "@/testing/unit/new-folder";
import { opened } from "@/testing/unit/opened";
import { createBackup } from "../backup/create-backup";
import { restoreBackup } from "../backup/restore-backup";
import { APPLICATION_ROLE } from "../db/embedded";
import {
  archivedMonths,
  type Month,
  monthsToArchive,
  partsOf,
} from "../ledger/archive/archive-register";
import { requestOfLine } from "../ledger/archive/archive-rows";
import { auditNew } from "../ledger/audit/audit";
import { auditSealed } from "../ledger/audit/audit-sealed";
import { sealLedger } from "../ledger/audit/seal";
import { verifyDay } from "../ledger/audit/seal-verify";
import type { BlobStore } from "../media/blob-store";
import { openFolderStore } from "../media/folder-store";
import { archiveMonth } from "./archive-month";
import { archivedFiles } from "./archived-files";
import { archivedRequest, verifyMonth, verifyRegister } from "./verify-archive";

const url = await createTestDatabase();
const owner = await opened(connect(url));
let blobs: BlobStore;
/** Dropped: the first two. */
let months: Month[];
let entries = 0;
/** A refunded charge of the first month, and a day of it. */
let refunded = "";
let day = "";
const folder = newFolder("dropped");

beforeAll(async () => {
  blobs = await openFolderStore(folder);
  await seedHistory(owner, url, { requests: 1500, days: 200 });
  // Pieces that begin in one month and end in the next.
  await sealLedger(owner, { piece: 70 });
  months = await monthsToArchive(owner);
  const { rows } = await owner.query<{ id: string; day: string }>(
    `select r.id, (r.ended_at at time zone 'UTC')::date::text as day
       from ledger_entry e join request r on r.id = e.operation_id`,
  );
  refunded = rows[0]?.id ?? "";
  day = rows[0]?.day ?? "";
  ({ entries } = await auditNew(owner));
  for (const month of months.slice(0, 2)) {
    await archiveMonth(owner, blobs, month, { requestsOfPart: 50 });
    await dropMonth(owner, month);
  }
}, 240_000);

const broken = (checks: readonly { ok: boolean; name: string; detail: string }[]) =>
  checks.filter(({ ok }) => !ok).map(({ name, detail }) => `${name}: ${detail}`);
const full = async () =>
  broken((await auditSealed(owner, { isFull: true, files: archivedFiles(blobs) })).checks);
const PIECES = "every row of a piece is as it was when the piece was made";
const DAYS = "the sums of every sealed day are those of its requests and entries";

test("the full audit proves a dropped month by its files, with as many entries as before", async () => {
  const report = await auditSealed(owner, { isFull: true, files: archivedFiles(blobs) });
  expect([broken(report.checks), report.entries]).toEqual([[], entries]);
});

test("the daily audit and one of a sealed day still hold", async () => {
  expect(broken((await auditSealed(owner)).checks)).toEqual([]);
  expect(broken((await verifyDay(owner, day, { files: archivedFiles(blobs) })) ?? [])).toEqual([]);
});

test("the files and the notes still hold, and a request is found in its file", async () => {
  for (const month of months.slice(0, 2))
    for (const { fault } of await verifyMonth(owner, blobs, month)) expect(fault).toBeNull();
  expect(broken(await verifyRegister(owner))).toEqual([]);
  expect(await archivedRequest(owner, blobs, refunded)).toMatchObject({
    request: { operation: { id: refunded } },
  });
});

test("a dropped month is archived no second time, and is listed as one that is only in files", async () => {
  expect(await archiveMonth(owner, blobs, months[0] as Month)).toBe(false);
  expect((await monthsToArchive(owner)).map(({ name }) => name)).toEqual(
    months.slice(2).map(({ name }) => name),
  );
  expect((await archivedMonths(owner)).map(({ isDropped }) => isDropped)).toEqual([true, true]);
});

// In `npm test` the same is shown of months that are dropped by the product (drop-beside).
test("a backup with a dropped month is restored, and its full audit is clean", async () => {
  const target = join(newFolder("dropped-backup"), "backup");
  await createBackup(url, target);
  const other = await createTestDatabase();
  const project = join(import.meta.dirname, "../..");
  const to = { ownerUrl: ownerUrlOf(other), applicationRole: APPLICATION_ROLE };
  await restoreBackup(to, target, project);
  const restored = await connect(other);
  const report = await auditSealed(restored, { isFull: true, files: archivedFiles(blobs) });
  expect([broken(report.checks), report.entries]).toEqual([[], entries]);
  await restored.end();
  rmSync(target);
});

test("a full audit without the files says so, and does not pass", async () => {
  const checks = broken((await auditSealed(owner, { isFull: true })).checks);
  expect(checks).toEqual([
    expect.stringMatching(`${PIECES}: .*in archived files, which were not read`),
    expect.stringContaining(DAYS),
  ]);
});

test("a full audit finds a file of a dropped month that is damaged or missing", async () => {
  const { file } = (await partsOf(owner, months[0] as Month))[0] ?? { file: "" };
  const path = join(folder, file);
  const whole = readFileSync(path);
  const damaged = Buffer.from(whole);
  damaged[whole.length >> 1] = (damaged[whole.length >> 1] ?? 0) ^ 1;
  writeFileSync(path, damaged);
  expect((await full()).join()).toContain(`${file} is not as it was written`);
  rmSync(path);
  expect((await full()).join()).toContain(`${file} is missing`);
  writeFileSync(path, whole);
});

/** What the full audit finds after something was changed around the rules. */
async function changed(sql: string): Promise<string> {
  await forge(owner, sql);
  return (await full()).join("\n");
}

/** Changes it back. The last full audit that must find nothing finds what was not. */
async function restore(sql: string): Promise<void> {
  await forge(owner, sql);
  expect(await full()).toEqual([]);
}

test("an archived request that is one of another content is found by the hash of its piece", async () => {
  // As if someone had rewritten a file, its note, and the chain of notes.
  const files = archivedFiles(blobs);
  const lying = {
    async *lines(part: Parameters<typeof files.lines>[0]) {
      for await (const line of files.lines(part))
        yield line.includes(refunded) ? line.replace(/"duration_ms":\d+/, '"duration_ms":1') : line;
    },
  };
  const { checks } = await auditSealed(owner, { isFull: true, files: lying });
  expect(broken(checks)).toEqual([expect.stringMatching(`${PIECES}: .*: a row was changed`)]);
  const missing = {
    async *lines(part: Parameters<typeof files.lines>[0]) {
      for await (const line of files.lines(part)) if (!line.includes(refunded)) yield line;
    },
  };
  const report = await auditSealed(owner, { isFull: true, files: missing });
  expect(broken(report.checks)).toEqual([
    expect.stringMatching(`${PIECES}: .*requests instead of`),
    expect.stringContaining(DAYS),
  ]);
});

test("rows that are missing, or are there again, in a dropped month or another are found", async () => {
  const { rows } = await owner.query<{ id: string }>(
    "select id from request where id >= $1 and amount > 0 order by 1 limit 1",
    [(months[2] as Month).starts],
  );
  const id = rows[0]?.id;
  await owner.query("create table aside as select * from request where id = $1", [id]);
  expect(await changed(`delete from request where id = '${id}'`)).toMatch(/requests instead of/);
  await restore("insert into request select * from aside");
  const { request } = await archivedRequest(owner, blobs, refunded);
  await owner.query("create table line as select $1::json as line", [JSON.stringify(request)]);
  const again = await changed(
    `insert into request select r.* from line l, ${requestOfLine("l.line")} r`,
  );
  expect(again).toContain(`request ${refunded} is both in the table and in a dropped file`);
  expect(again).toContain("has no rows left");
  await restore(`delete from request where id = '${refunded}'`);
});

test("a refund beyond a dropped charge, or to another account, is found", async () => {
  const { rows } = await owner.query<{ id: string; amount: string }>(
    "select id, amount from ledger_entry where operation_id = $1",
    [refunded],
  );
  const [entry] = rows;
  const found = await changed(
    `update ledger_entry set amount = amount + 1 where id = ${entry?.id}`,
  );
  expect(found).toContain(`${refunded} has other refunds than its charge allows`);
  expect(await changed(`update ledger_entry set amount = amount - 1 where id = ${entry?.id}`)).toBe(
    "",
  );
});

test("a month is not noted as dropped while it has rows, or is not archived; the note cannot be changed", async () => {
  const third = months[2] as Month;
  const note = () =>
    owner
      .query("select ledger_archive_note_drop($1::date)", [third.day])
      .catch(({ message }) => message);
  expect(await note()).toMatch(/is not archived/);
  await archiveMonth(owner, blobs, third);
  expect(await note()).toMatch(/has rows/);
  for (const sql of [
    "update ledger_archive_drop set number = 9",
    "delete from ledger_archive_drop",
  ])
    await expect(owner.query(sql)).rejects.toMatchObject({ code: "23000" });
  expect(
    await changed("update ledger_archive_drop set hash = sha256('x') where number = 1"),
  ).toContain("every dropped month follows the one before");
  expect(readdirSync(folder).length).toBeGreaterThan(2);
});
