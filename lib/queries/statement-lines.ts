/** The lines of a statement, in pages. Read-only. */

import type { CreditKind } from "../contract/states";
import type { Reader } from "../db/pool";
import type { Micropoints } from "../money/points";
import { entryChange } from "./entry-change";
import type { StatementDays } from "./statement-sums";

interface StatementLine {
  /** UTC. */
  readonly day: string;
  readonly kind: CreditKind | "charge";
  /** The model and the key of a charge; the reason of a credit. */
  readonly model: string | null;
  readonly keyName: string | null;
  readonly reason: string | null;
  /** The number of requests that the charge sums up. */
  readonly requests: number | null;
  /** Negative when it takes points away. */
  readonly amount: Micropoints;
}

/** The place of a line: no part of it changes, so nothing is left out or repeated between pages. */
type Place = readonly [day: string, isCharge: number, id: string, model: string, apiKeyId: string];
const BEGINNING: Place = ["0001-01-01", 0, "0", "", ""];

interface Row {
  day: string;
  is_charge: number;
  id: string;
  model: string;
  api_key_id: string;
  kind: StatementLine["kind"];
  key_name: string | null;
  reason: string | null;
  requests: string | null;
  amount: string;
}

/**
 * Of the charges, a page reads the days that it needs, and not all that follow: up to that of a row
 * of the sums by which it is full, since what waits for the sums only adds lines.
 */
const query = `
with part as (
  select coalesce((select day from usage_day where account_id = $1 and day >= $2::date and day > $4::date and day <= $3::date
                    order by day offset $9 limit 1), $3::date) as last
), l as (
  select (created_at at time zone 'UTC')::date as day, 0 as is_charge, id, '' as model, '' as api_key_id, kind, reason, null::bigint as requests,
         ${entryChange} as amount
    from ledger_entry where account_id = $1
  union all
  select day, 1, 0, model, api_key_id, 'charge', null, sum(requests)::bigint, -sum(amount)::bigint
    from usage_of_day where account_id = $1 and day >= $2::date and day >= $4::date and day <= (select last from part)
   group by day, model, api_key_id)
select to_char(l.day, 'YYYY-MM-DD') as day, l.is_charge, l.id, l.model, l.api_key_id, l.kind, k.name as key_name, l.reason, l.requests, l.amount
  from (select * from l where day between $2::date and $3::date and (day, is_charge, id, model, api_key_id) > ($4::date, $5::int, $6::bigint, $7, $8)
         order by day, is_charge, id, model, api_key_id limit $9) l
  left join api_key k on k.id = l.api_key_id order by l.day, l.is_charge, l.id, l.model, l.api_key_id`;

const lineOf = (row: Row): StatementLine => ({
  day: row.day,
  kind: row.kind,
  model: row.model || null,
  keyName: row.key_name,
  reason: row.reason,
  requests: row.requests === null ? null : Number(row.requests),
  amount: BigInt(row.amount),
});

/**
 * Pages of lines, oldest first: every credit, and the charges of each day, model and key. Each page
 * is a query of its own.
 */
export async function* statementLines(
  pool: Reader,
  accountId: string,
  { from, to }: StatementDays,
  pageLines = 1000,
): AsyncGenerator<StatementLine[]> {
  for (let after = BEGINNING; ; ) {
    const { rows } = await pool.query<Row>(query, [accountId, from, to, ...after, pageLines]);
    if (rows.length > 0) yield rows.map(lineOf);
    const last = rows.at(-1);
    if (last === undefined || rows.length < pageLines) return;
    after = [last.day, last.is_charge, last.id, last.model, last.api_key_id];
  }
}
