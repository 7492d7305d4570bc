/** Compares the sums of sealed days with their requests, for an audit that reads everything again. */
import type pg from "pg";
import { onlyRow } from "../../db/only-row";
import { type AuditCheck, inSnapshot, runRules } from "./audit";
import { BY_RANGES } from "./audit-connections";
import { newScope, type Piece, pieceScope, wholeScope } from "./audit-scope";
import { usagePerDay } from "./audit-sums";
import { totalPerDay } from "./audit-usage";

/** Days with more pieces, or with more requests in them, are compared in halves. */
const PIECES_AT_ONCE = 100;
const REQUESTS_AT_ONCE = 200_000;

/** The first day with a sum or a request, and the last sealed one: null without any. */
const daysQuery = `
  select least((select min(day) from usage_day), (select min(day) from usage_total_day),
               (select min(ended_from) from ledger_piece))::date::text as first,
         (select max(day) from ledger_seal)::text as last`;

const halvesQuery = `
  select m::text as middle, (m + 1)::text as next
    from (select $1::date + ($2::date - $1::date) / 2 as m) x`;

/** The pieces with requests that ended on these days, and whether some are only in files. */
const piecesQuery = `
  select p.*, exists (select from ledger_archive_drop d where p.starts < d.below and p.below > d.starts
                        or exists (select from ledger_apart a where a.piece = p.number and a.operation_id >= d.starts and a.operation_id < d.below)) as is_dropped
    from ledger_piece p where p.ended_from <= $2::date and p.ended_to >= $1::date order by p.number`;

interface DaysPiece extends Piece {
  readonly requests: string;
  readonly is_dropped: boolean;
}

/** Null: they are too much for one snapshot, or not all in the tables. */
const compareDays = (
  client: pg.ClientBase,
  first: string,
  last: string,
): Promise<AuditCheck[] | null> =>
  inSnapshot(client, async () => {
    const { rows } = await client.query<DaysPiece>(piecesQuery, [first, last]);
    const requests = rows.reduce((sum, piece) => sum + Number(piece.requests), 0);
    if (rows.some((piece) => piece.is_dropped)) return null;
    const isMuch = requests > REQUESTS_AT_ONCE || rows.length > PIECES_AT_ONCE;
    if (isMuch && first !== last) return null;
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

async function compareSpan(
  client: pg.ClientBase,
  [first, last]: [first: string, last: string],
  signal: AbortSignal | undefined,
): Promise<AuditCheck[]> {
  if (signal?.aborted) return [];
  const checks = await compareDays(client, first, last);
  if (checks !== null || first === last) return checks ?? [];
  const { middle, next } = onlyRow(
    await client.query<{ middle: string; next: string }>(halvesQuery, [first, last]),
  );
  return [
    ...(await compareSpan(client, [first, middle], signal)),
    ...(await compareSpan(client, [next, last], signal)),
  ];
}

/** Days with requests that are only in files are left out, as their hours are. */
export async function auditDays(
  client: pg.ClientBase,
  signal?: AbortSignal | undefined,
): Promise<AuditCheck[]> {
  const { first, last } = onlyRow(
    await client.query<{ first: string | null; last: string | null }>(daysQuery),
  );
  if (first === null || last === null || first > last) return [];
  return compareSpan(client, [first, last], signal);
}
