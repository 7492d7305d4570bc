/**
 * The audit as it runs: seals what is over, and checks what is new together with the sealed sums. It
 * never holds a snapshot for longer than a few seconds.
 */
import type pg from "pg";
import { RelayError } from "../../failures/relay-error";
import type { ArchivedFiles } from "../archive/archived-piece";
import { type AuditCheck, type AuditReport, auditNew, inSnapshot, runRules } from "./audit";
import { AuditConnections, type ConnectionOptions } from "./audit-connections";
import { auditHours, compareHours } from "./audit-hours";
import { newScope } from "./audit-scope";
import { recentDays, totalPerDay, waitingRule } from "./audit-usage";
import { sealLedger } from "./seal";
import { chainRules } from "./seal-chain";
import { verifySealed } from "./seal-verify";

const DAY_MS = 86_400_000;

export interface AuditOptions extends ConnectionOptions {
  /** Reads everything again that is sealed, too. */
  readonly isFull?: boolean;
  /** For the requests of dropped months. */
  readonly files?: ArchivedFiles;
  readonly signal?: AbortSignal | undefined;
  /** Called after each piece, with the number of requests in it. */
  onPiece?(requests: number): void;
}

/** The sums of the hours that no piece has passed yet, at most of the last days. */
async function auditLastHours(connections: AuditConnections): Promise<AuditCheck[]> {
  const { rows } = await connections.first.query<{ below: Date | null }>(
    "select nullif(hours_below, '-infinity') as below from ledger_seal_head",
  );
  const from = new Date(Math.max(recentDays().getTime(), rows[0]?.below?.getTime() ?? 0));
  return compareHours(connections, from, new Date(Date.now() + DAY_MS));
}

/** One line for each rule. */
function joined(checks: readonly AuditCheck[]): AuditCheck[] {
  const byName = new Map<string, AuditCheck>();
  for (const check of checks) {
    const { ok = true, detail = "" } = byName.get(check.name) ?? {};
    byName.set(check.name, {
      name: check.name,
      ok: ok && check.ok,
      detail: [detail, check.detail].filter((part) => part !== "").join("; "),
    });
  }
  return [...byName.values()];
}

/** Rejects with `service_busy` when it is stopped; what was sealed until then stays sealed. */
export async function auditSealed(
  client: pg.ClientBase,
  options: AuditOptions = {},
): Promise<AuditReport> {
  const connections = new AuditConnections(client, options);
  try {
    return await auditOn(connections, client, options);
  } finally {
    await connections.end();
  }
}

async function auditOn(
  connections: AuditConnections,
  client: pg.ClientBase,
  options: AuditOptions,
): Promise<AuditReport> {
  const { isFull = false, signal } = options;
  const { broken } = await sealLedger(client, { ...options, connections });
  const hours = await auditHours(connections, { isAll: isFull, signal });
  // What is not sealed yet may be the whole history.
  if (signal?.aborted)
    throw new RelayError("service_busy", {
      message:
        "The audit was stopped before everything was sealed; the next one continues from there.",
      retryAfterSeconds: 10,
    });
  const report = await auditNew(client, connections);
  const sums = await inSnapshot(client, async () =>
    runRules(client, [totalPerDay(await newScope(client)), waitingRule, ...chainRules]),
  );
  const last = await auditLastHours(connections);
  const sealed = isFull ? await verifySealed(client, options) : [];
  const checks = joined([...report.checks, ...broken, ...hours, ...sums, ...last, ...sealed]);
  return { ...report, ok: checks.every(({ ok }) => ok), checks };
}
