/** Tests that a restored installation keeps its seals and adds new ones. */
import { mkdtempSync, readdirSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { expect, test } from "vitest";
import { createTestDatabase, ownerUrlOf } from "@/testing/db/test-database";
import { openEarlier, seedHistory } from "@/testing/ledger/sealed-history";
import { connect } from "@/testing/ledger/test-ledger";
import { APPLICATION_ROLE } from "../db/embedded";
import { auditSealed } from "../ledger/audit-sealed";
import { lastSeal } from "../ledger/last-seal";
import { sealLedger } from "../ledger/seal";
import { createBackup } from "./create-backup";
import { restoreBackup } from "./restore-backup";

test("a backup keeps the seals: the restored ledger has the same head, and a full audit is clean", async () => {
  const folder = mkdtempSync(join(tmpdir(), "relay-backup-seals-"));
  const url = await createTestDatabase();
  const owner = await connect(url);
  await seedHistory(owner, url);
  await openEarlier(owner, "acct_history_2", 30);
  await sealLedger(owner, { piece: 150 });
  const seal = await lastSeal(owner);
  expect(seal.day).not.toBeNull();
  await createBackup(url, join(folder, "backup"));

  const other = await createTestDatabase();
  const migrations = join(import.meta.dirname, "../../prisma/migrations");
  const to = { ownerUrl: ownerUrlOf(other), applicationRole: APPLICATION_ROLE };
  await restoreBackup(to, join(folder, "backup"), migrations);
  const restored = await connect(other);
  expect(await lastSeal(restored, seal.head)).toEqual(seal);
  const report = await auditSealed(restored, { isFull: true });
  expect(report.checks.filter(({ ok }) => !ok)).toEqual([]);
  expect(report.checks.some(({ name }) => /every seal follows/.test(name))).toBe(true);
  await Promise.all([owner.end(), restored.end()]);
  rmSync(folder, { recursive: true });
});

test("the rows of sealed days are read before the snapshot, and all the rest is of one moment after them", async () => {
  const folder = mkdtempSync(join(tmpdir(), "relay-backup-sealed-"));
  const file = join(folder, "backup");
  const url = await createTestDatabase();
  const owner = await connect(url);
  const other = await connect(url);
  await seedHistory(owner, url);
  await sealLedger(owner, { piece: 150 });
  // While it waits for the first sealed rows, what comes then is still in the backup.
  await other.query("begin; lock table settlement in access exclusive mode");
  const made = createBackup(url, file);
  const waiting =
    "select from pg_stat_activity where application_name = 'relay-backup' and wait_event_type = 'Lock' and datname = current_database()";
  await expect.poll(async () => (await owner.query(waiting)).rowCount).toBe(1);
  await owner.query("select ledger_credit('acct_history_1', 'grant', 'during', 5, 'test', 'cli')");
  const stray = await openEarlier(owner, "acct_history_4", 40);
  await other.query("commit");
  const { rows, snapshotSeconds } = await made;
  expect(snapshotSeconds).toBeGreaterThan(0);
  expect(readdirSync(folder)).toEqual(["backup"]);

  const copy = await createTestDatabase();
  const migrations = join(import.meta.dirname, "../../prisma/migrations");
  const to = { ownerUrl: ownerUrlOf(copy), applicationRole: APPLICATION_ROLE };
  expect((await restoreBackup(to, file, migrations)).rows).toBe(rows);
  const restored = await connect(copy);
  for (const table of ["operation", "settlement", "wallet", "ledger_entry"]) {
    const all = `select md5(string_agg(t::text, ',' order by t::text)) as hash from ${table} t`;
    expect((await restored.query(all)).rows, table).toEqual((await owner.query(all)).rows);
  }
  const opened = await restored.query("select from open_operation where operation_id = $1", [
    stray.operationId,
  ]);
  expect(opened.rowCount).toBe(1);
  const report = await auditSealed(restored, { isFull: true });
  expect(report.checks.filter(({ ok }) => !ok)).toEqual([]);
  await Promise.all([owner.end(), other.end(), restored.end()]);
  rmSync(folder, { recursive: true });
});
