/**
 * Compares the sums of parts of hours with the requests made in them, and those of blocks of four
 * hours with the sums of their hours, a few hours in each snapshot.
 */
import type pg from "pg";
import { onlyRow } from "../../db/only-row";
import { type AuditCheck, inSnapshot, runRules } from "./audit";
import { stepFrom } from "./audit-hours";
import type { Rule } from "./audit-requests";
import { blocksRule, partsRule } from "./audit-usage";

interface Kept {
  /** The table of the sums, and that of the times that have them. */
  readonly sums: string;
  readonly marks: string;
  /** The table of the last time that was made, and of the last one that was compared. */
  readonly head: string;
  /** The function that moves the latter. */
  readonly note: string;
  readonly rule: (from: Date, to: Date) => Rule;
}

const allKept: readonly Kept[] = [
  {
    sums: "usage_part",
    marks: "usage_cut",
    head: "usage_cut_head",
    note: "usage_cut_audited",
    rule: partsRule,
  },
  {
    sums: "usage_block",
    marks: "usage_block_mark",
    head: "usage_block_head",
    note: "usage_blocks_audited",
    rule: blocksRule,
  },
];

interface Head {
  readonly from: Date | null;
  readonly to: Date | null;
}

/** What was made and not compared yet, or all that was made. */
const headQuery = ({ sums, marks, head }: Kept) => `
  select case when $1 or h.audited = '-infinity'
              then least((select min(at) from ${sums}), (select min(at) from ${marks})) - interval '1 second' else h.audited end as from,
         h.at as to from ${head} h
   where h.at > '-infinity'`;

interface Options {
  readonly isAll?: boolean;
  readonly signal?: AbortSignal | undefined;
}

async function auditKept(
  client: pg.ClientBase,
  kept: Kept,
  { isAll = false, signal }: Options,
): Promise<AuditCheck[]> {
  const { rows } = await client.query<Head>(headQuery(kept), [isAll]);
  const { from, to } = rows[0] ?? { from: null, to: null };
  let checks: AuditCheck[] = [];
  if (from === null || to === null) return checks;
  for (let at = from; at < to && !signal?.aborted; ) {
    const here = at;
    const until = new Date(Math.min(to.getTime(), here.getTime() + (await stepFrom(client, here))));
    checks = await inSnapshot(client, () => runRules(client, [kept.rule(here, until)]));
    if (checks.some(({ ok }) => !ok)) return checks;
    if (!isAll) onlyRow(await client.query(`select ${kept.note}($1)`, [until]));
    at = until;
  }
  return checks;
}

/** Stops at parts or blocks that break their rule: the next audit finds them again. */
export async function auditParts(
  client: pg.ClientBase,
  options: Options = {},
): Promise<AuditCheck[]> {
  const checks: AuditCheck[] = [];
  for (const kept of allKept) checks.push(...(await auditKept(client, kept, options)));
  return checks;
}
