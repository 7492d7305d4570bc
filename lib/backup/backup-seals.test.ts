/** Tests that a restored installation has its seals, and goes on with them. */
import { mkdtempSync, rmSync } from "node:fs";
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
