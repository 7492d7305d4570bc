/**
 * The audit of the ledger: plain SQL over the tables. It shares no code with the writer, so that a
 * fault of the writer cannot hide itself.
 */
import { AuditConnections, type Queries, READING } from "./audit-connections";
import { lotRules } from "./audit-lots";
import { memberRules } from "./audit-members";
import { endRules, entryRules, type Rule, type RuleSet, requestRules } from "./audit-requests";
import { newScope, type Scope, wholeScope } from "./audit-scope";
import { stateRules } from "./audit-state";
import { sumRules } from "./audit-sums";
import { tagRules } from "./audit-tags";
import { usageChecks } from "./audit-usage";

export interface AuditCheck {
  readonly name: string;
  readonly ok: boolean;
  /** Empty when the check holds; otherwise the first few rows that violate it. */
  readonly detail: string;
}

export interface AuditReport {
  readonly ok: boolean;
  readonly checks: AuditCheck[];
  readonly accounts: number;
  readonly entries: number;
}

export const EXAMPLES = 5;

export const checkOf = (
  name: string,
  rows: readonly { broken: string | null; total: string }[],
) => ({
  name,
  ok: rows.length === 0,
  detail:
    rows.length === 0
      ? ""
      : `${rows[0]?.total} broken: ${rows.map(({ broken }) => broken).join("; ")}`,
});

export async function runRules(client: Queries, rules: readonly Rule[]): Promise<AuditCheck[]> {
  const results: AuditCheck[] = [];
  for (const { name, sql } of rules) {
    const { rows } = await client.query<{ broken: string | null; total: string }>(
      `select broken, count(*) over () as total from (${sql}) b limit ${EXAMPLES}`,
    );
    results.push(checkOf(name, rows));
  }
  return results;
}

export async function runRuleSet(client: Queries, { names, sql }: RuleSet): Promise<AuditCheck[]> {
  const { rows } = await client.query<{ rule: number; broken: string | null; total: string }>(
    `select rule, broken, total from (
       select rule, broken, count(*) over (partition by rule) as total, row_number() over (partition by rule) as place from (${sql}) b) n
      where place <= ${EXAMPLES}`,
  );
  return names.map((name, place) =>
    checkOf(
      name,
      rows.filter(({ rule }) => rule === place),
    ),
  );
}

/** The rules of single requests and entries, in a scope. */
export const runRowRules = async (client: Queries, scope: Scope): Promise<AuditCheck[]> => [
  ...(await runRuleSet(client, requestRules(scope))),
  ...(await runRules(client, [...endRules(scope), ...entryRules(scope)])),
];

const countLines = (scope: Scope) => `
  select (select count(*) from wallet) as accounts,
         ${scope.sealedLines} + (select coalesce(sum(charges), 0) from ${scope.draft} d)
         + (select count(*) from ${scope.of("request", "id")} r where amount > 0)
         + (select count(*) from ${scope.entriesSinceSeal} e) as entries`;

/**
 * Runs `work` in one snapshot that nothing changes. While it lasts, no dead row of the database can
 * be removed: it must be short.
 */
export async function inSnapshot<T>(client: Queries, work: () => Promise<T>): Promise<T> {
  await client.query(`begin isolation level repeatable read read only; ${READING}`);
  try {
    return await work();
  } finally {
    await client.query("rollback");
  }
}

/** Every rule but those of sums for pages, in the snapshot of the transaction. */
async function auditScope(connections: AuditConnections, scope: Scope): Promise<AuditReport> {
  const { first } = connections;
  const [[sums, state, counted], rows] = await connections.both(
    async () =>
      [
        await runRules(first, [...sumRules(scope), ...memberRules(scope), ...tagRules(scope)]),
        await runRules(first, [...stateRules, ...lotRules(scope)]),
        await first.query<{ accounts: string; entries: string }>(countLines(scope)),
      ] as const,
    (client) => runRowRules(client, scope),
  );
  const checks = [...sums, ...rows, ...state];
  return {
    ok: checks.every(({ ok }) => ok),
    checks,
    accounts: Number(counted.rows[0]?.accounts),
    entries: Number(counted.rows[0]?.entries),
  };
}

/** What is in no piece, with the sealed sums for the rest: everything, where nothing is sealed. */
export const auditNew = (
  client: Queries,
  connections = new AuditConnections(client),
): Promise<AuditReport> =>
  inSnapshot(client, async () => auditScope(connections, await newScope(client)));

/**
 * Runs every rule over all rows in one snapshot, and counts wallets and journal lines. It reads
 * whole tables. The sums of ended requests are checked since a midnight (UTC), or all of them.
 */
export const auditLedger = (client: Queries, sumsSince: Date | null = null): Promise<AuditReport> =>
  inSnapshot(client, async () => {
    const report = await auditScope(new AuditConnections(client), wholeScope);
    const { hours, others } = usageChecks(sumsSince);
    const sums = [...(await runRuleSet(client, hours)), ...(await runRules(client, others))];
    const checks = [...report.checks, ...sums];
    return { ...report, checks, ok: checks.every(({ ok }) => ok) };
  });
