/**
 * Runs the audit on a connection of its own and stores each report, so that operators can see the
 * last one.
 */

import type pg from "pg";
import type { Reader } from "../../db/pool";
import { PrimaryClient } from "../../db/primary-client";
import { RelayError } from "../../failures/relay-error";
import type { AuditReport } from "./audit";
import { type AuditOptions, auditSealed } from "./audit-sealed";

const EVERY_HOURS = 1;
/** The advisory lock that allows one audit at a time over all processes. */
export const AUDIT_LOCK = 7_340_211;

export interface AuditRun {
  readonly startedAt: Date;
  readonly finishedAt: Date;
  readonly actor: string;
  readonly isClean: boolean;
  readonly accounts: number;
  readonly entries: number;
  /** The checks that failed, with their first few rows. */
  readonly broken: readonly { readonly name: string; readonly detail: string }[];
}

interface Row {
  started_at: Date;
  finished_at: Date;
  actor: string;
  is_clean: boolean;
  accounts: string;
  entries: string;
  broken: { name: string; detail: string }[];
}

/** The last stored audit, whichever process ran it; null before the first. */
export async function lastAudit(pool: Reader): Promise<AuditRun | null> {
  const { rows } = await pool.query<Row>(
    "select * from ledger_audit_run order by started_at desc limit 1",
  );
  const row = rows[0];
  if (row === undefined) return null;
  const {
    started_at: startedAt,
    finished_at: finishedAt,
    actor,
    is_clean: isClean,
    accounts,
    entries,
    broken,
  } = row;
  return {
    startedAt,
    finishedAt,
    actor,
    isClean,
    accounts: Number(accounts),
    entries: Number(entries),
    broken,
  };
}

/**
 * Audits and stores the report. Rejects with `service_busy` while another audit runs. The
 * connection must have no statement timeout: a first audit reads everything, in pieces.
 */
export async function runAudit(
  client: pg.ClientBase,
  actor: string,
  options: AuditOptions = {},
): Promise<AuditReport> {
  const { rows } = await client.query<{ ok: boolean; now: Date }>(
    "select pg_try_advisory_lock($1) as ok, now() as now",
    [AUDIT_LOCK],
  );
  if (!rows[0]?.ok)
    throw new RelayError("service_busy", {
      message: "An audit is already running.",
      retryAfterSeconds: 10,
    });
  try {
    const report = await auditSealed(client, options);
    const broken = report.checks
      .filter(({ ok }) => !ok)
      .map(({ name, detail }) => ({ name, detail: detail.slice(0, 1000) }));
    await client.query(
      `insert into ledger_audit_run (actor, started_at, finished_at, is_clean, accounts, entries, broken)
         values ($1, $2, clock_timestamp(), $3, $4, $5, $6)`,
      [actor, rows[0].now, report.ok, report.accounts, report.entries, JSON.stringify(broken)],
    );
    return report;
  } finally {
    await client.query("select pg_advisory_unlock($1)", [AUDIT_LOCK]);
  }
}

export async function connectAndRunAudit(
  databaseUrl: string,
  actor: string,
  options: Omit<AuditOptions, "openSecond"> = {},
): Promise<AuditReport> {
  const open = async () => {
    const client = new PrimaryClient({
      connectionString: databaseUrl,
      application_name: "relay-audit",
    });
    // The running query rejects as well; without a listener a lost connection would end the process.
    client.on("error", () => {});
    await client.connect();
    return client;
  };
  const client = await open();
  return runAudit(client, actor, { ...options, openSecond: open }).finally(() => client.end());
}

/**
 * Audits when the last audit is at least an hour old. Returns the report, or null when no audit was
 * due.
 */
export async function auditWhenDue(
  pool: pg.Pool,
  databaseUrl: string,
  options: AuditOptions = {},
): Promise<AuditReport | null> {
  const { rows } = await pool.query<{ is_due: boolean }>(
    "select not exists (select from ledger_audit_run where started_at > now() - make_interval(hours => $1)) as is_due",
    [EVERY_HOURS],
  );
  return rows[0]?.is_due ? connectAndRunAudit(databaseUrl, "system", options) : null;
}
