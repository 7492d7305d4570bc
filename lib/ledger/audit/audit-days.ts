/** Compares the sums of sealed days with their requests, for an audit that reads everything again. */
import type pg from "pg";
import { onlyRow } from "../../db/only-row";
import { type AuditCheck, inSnapshot, runRules } from "./audit";
import { BY_RANGES } from "./audit-connections";
import { newScope, type Piece, pieceScope, wholeScope } from "./audit-scope";
import { usagePerDay } from "./audit-sums";
import { totalPerDay } from "./audit-usage";

/** Pieces of more requests are read for one day at a time. */
const REQUESTS_AT_ONCE = 200_000;

/** The weeks from the first sum or request to the last sealed day. */
const weeksQuery = `
  select w::date::text as first, least(w::date + 6, s.last)::text as last
    from (select max(day) as last from ledger_seal) s,
         generate_series(least((select min(day) from usage_day), (select min(day) from usage_total_day), (select min(ended_from) from ledger_piece)),
                         s.last, interval '7 days') w`;

/** The pieces with requests that ended on these days, and whether some are only in files. */
const piecesQuery = `
  select p.*, exists (select from ledger_archive_drop d where p.starts < d.below and p.below > d.starts
                        or exists (select from ledger_apart a where a.piece = p.number and a.operation_id >= d.starts and a.operation_id < d.below)) as is_dropped
    from ledger_piece p where p.ended_from <= $2::date and p.ended_to >= $1::date order by p.number`;

interface DaysPiece extends Piece {
  readonly requests: string;
  readonly is_dropped: boolean;
}

/** Null: their requests are too many, or not all in the tables. */
const compareDays = (
  client: pg.ClientBase,
  first: string,
  last: string,
): Promise<AuditCheck[] | null> =>
  inSnapshot(client, async () => {
    const { rows } = await client.query<DaysPiece>(piecesQuery, [first, last]);
    const requests = rows.reduce((sum, piece) => sum + Number(piece.requests), 0);
    if (rows.some((piece) => piece.is_dropped)) return null;
    if (requests > REQUESTS_AT_ONCE && first !== last) return null;
    await client.query(BY_RANGES);
    const scopes = [...rows.map(pieceScope), await newScope(client)];
    const scope = {
      ...wholeScope,
      of: (table: string, column: string) =>
        `(${scopes.map((each) => `select * from ${each.of(table, column)} x`).join(" union all ")})`,
    };
    const days = `day between date '${first}' and date '${last}'`;
    return runRules(client, [usagePerDay(scope, days), totalPerDay(scope, days)]);
  });

/** Days with requests that are only in files are left out, as their hours are. */
export async function auditDays(
  client: pg.ClientBase,
  signal?: AbortSignal | undefined,
): Promise<AuditCheck[]> {
  const checks: AuditCheck[] = [];
  const { rows: weeks } = await client.query<{ first: string; last: string }>(weeksQuery);
  for (const { first, last } of weeks) {
    if (signal?.aborted) break;
    const ofWeek = await compareDays(client, first, last);
    checks.push(...(ofWeek ?? []));
    if (ofWeek !== null) continue;
    for (let day = first; day <= last && !signal?.aborted; day = await nextDay(client, day))
      checks.push(...((await compareDays(client, day, day)) ?? []));
  }
  return checks;
}

const nextDay = async (client: pg.ClientBase, day: string): Promise<string> =>
  onlyRow(await client.query<{ next: string }>("select ($1::date + 1)::text as next", [day])).next;
