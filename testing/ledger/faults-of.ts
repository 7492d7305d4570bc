import type pg from "pg";
import { auditLedger } from "@/lib/ledger/audit/audit";

/** What the ledger's audit finds wrong. */
export async function faultsOf(pool: pg.Pool) {
  const client = await pool.connect();
  const { checks } = await auditLedger(client).finally(() => client.release());
  return checks.filter(({ ok }) => !ok);
}
