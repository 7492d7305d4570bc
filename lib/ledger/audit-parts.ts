/** Compares the sums of parts of hours with the requests made in them, a few hours in each snapshot. */
import type pg from "pg";
import { onlyRow } from "../db/only-row";
import { type AuditCheck, inSnapshot, runRules } from "./audit";
import { stepFrom } from "./audit-hours";
import { isCounted } from "./audit-sums";
import { partsRule } from "./audit-usage";

interface Head {
  readonly from: Date | null;
  readonly to: Date | null;
}

/** The parts that were made and not compared yet, or all that were made. */
const headQuery = `
  select case when $1 or h.audited = '-infinity' then (select min(at) - interval '1 second' from usage_cut) else h.audited end as from,
         h.at as to from usage_cut_head h
   where h.at > '-infinity' and ${isCounted}`;

/** Stops at parts that break the rule: the next audit finds them again. */
export async function auditParts(
  client: pg.ClientBase,
  { isAll = false, signal }: { isAll?: boolean; signal?: AbortSignal | undefined } = {},
): Promise<AuditCheck[]> {
  const { rows } = await client.query<Head>(headQuery, [isAll]);
  const { from, to } = rows[0] ?? { from: null, to: null };
  let checks: AuditCheck[] = [];
  if (from === null || to === null) return checks;
  for (let at = from; at < to && !signal?.aborted; ) {
    const here = at;
    const until = new Date(Math.min(to.getTime(), here.getTime() + (await stepFrom(client, here))));
    checks = await inSnapshot(client, () => runRules(client, [partsRule(here, until)]));
    if (checks.some(({ ok }) => !ok)) return checks;
    if (!isAll) onlyRow(await client.query("select usage_cut_audited($1)", [until]));
    at = until;
  }
  return checks;
}
