/** The first audit of an old installation seals all of its days in one session. */
import { expect, test } from "vitest";
import { createTestDatabase } from "@/testing/db/test-database";
import { seedHistory } from "@/testing/ledger/sealed-history";
import { connect } from "@/testing/ledger/test-ledger";
import { sealLedger } from "./seal";

test("sealing many days reads no more of the sums than each account's last one", async () => {
  const url = await createTestDatabase();
  const owner = await connect(url);
  await seedHistory(owner, url, { accounts: 1000, requests: 1500, days: 40 });
  // Few accounts on the first day, and the table is known to be empty, as after a vacuum of everything.
  await owner.query("set session_replication_role = replica");
  await owner.query("update ledger_entry set created_at = now()");
  await owner.query("set session_replication_role = origin");
  await owner.query("vacuum analyze ledger_seal_account");
  expect((await sealLedger(owner)).days).toBeGreaterThan(35);
  await owner.query("select pg_stat_force_next_flush()");
  const { rows } = await owner.query<{ seq_tup_read: string; sums: string }>(
    `select seq_tup_read, (select count(*) from ledger_seal_account) as sums from pg_stat_user_tables
      where relname = 'ledger_seal_account'`,
  );
  const [{ seq_tup_read, sums } = { seq_tup_read: "", sums: "" }] = rows;
  expect(Number(sums)).toBeGreaterThan(1000);
  expect(Number(seq_tup_read)).toBeLessThanOrEqual(Number(sums));
  await owner.end();
});
