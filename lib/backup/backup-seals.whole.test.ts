/** Tests that a restored installation keeps its seals and adds new ones. */
import { readdirSync } from "node:fs";
import { join } from "node:path";
import { expect, test, vi } from "vitest";
import { createTestDatabase, ownerUrlOf } from "@/testing/db/test-database";
import { createSealableHistory, openEarlier } from "@/testing/ledger/sealed-history";
import { connect, openTestLedger } from "@/testing/ledger/test-ledger";
import { newFolder } from "@/testing/unit/new-folder";
import { opened } from "@/testing/unit/opened";
import { APPLICATION_ROLE } from "../db/embedded";
import { auditSealed } from "../ledger/audit/audit-sealed";
import { lastSeal } from "../ledger/audit/last-seal";
import { sealLedger } from "../ledger/audit/seal";
import { noOutcome } from "../ledger/core/verbs";
import { createBackup } from "./create-backup";
import { restoreBackup } from "./restore-backup";

const folder = newFolder("backup-seals");
let rows: number;

const file = join(folder, "backup");
const url = await createSealableHistory();
const owner = await opened(connect(url));
const other = await connect(url);
const late = await openEarlier(owner, "acct_history_2", 30);
await sealLedger(owner, { piece: 150 });
// It ends among the sealed rows, and is in no piece.
const ledger = await openTestLedger(url);
await ledger.release({ ...late, reason: "test", loss: null, outcome: noOutcome });
await ledger.close();
const seal = await lastSeal(owner);
// While it waits for the first sealed rows, what comes then is still in the backup.
await other.query("begin; lock table request in access exclusive mode");
const making = createBackup(url, file);
const waiting =
  "select from pg_stat_activity where application_name = 'relay-backup' and wait_event_type = 'Lock' and datname = current_database()";
await vi.waitFor(async () => expect((await owner.query(waiting)).rowCount).toBe(1), 10_000);
await owner.query("select ledger_credit('acct_history_1', 'grant', 'during', 5, 'test', 'cli')");
const stray = await openEarlier(owner, "acct_history_4", 40);
await other.query("commit");
await other.end();
const made = await making;

const copy = await createTestDatabase();
const project = join(import.meta.dirname, "../..");
const to = { ownerUrl: ownerUrlOf(copy), applicationRole: APPLICATION_ROLE };
({ rows } = await restoreBackup(to, file, project));
const restored = await opened(connect(copy));

test("a backup keeps the seals: the restored ledger has the same head, and a full audit is clean", async () => {
  expect(seal.day).not.toBeNull();
  expect(await lastSeal(restored, seal.head)).toEqual(seal);
  const report = await auditSealed(restored, { isFull: true });
  expect(report.checks.filter(({ ok }) => !ok)).toEqual([]);
  expect(report.checks.some(({ name }) => /every seal follows/.test(name))).toBe(true);
});

test("the rows of sealed days are read before the snapshot, and all the rest is of one moment after them", async () => {
  expect(made.snapshotSeconds).toBeGreaterThan(0);
  expect(readdirSync(folder)).toEqual(["backup"]);
  expect(rows).toBe(made.rows);
  for (const table of ["request", "open_request", "wallet", "ledger_entry"]) {
    const all = `select md5(string_agg(t::text, ',' order by t::text)) as hash from ${table} t`;
    expect((await restored.query(all)).rows, table).toEqual((await owner.query(all)).rows);
  }
  const opened = await restored.query("select from open_request where id = $1", [
    stray.operationId,
  ]);
  expect(opened.rowCount).toBe(1);
});
