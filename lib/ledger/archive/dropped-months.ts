/** Which dropped months a list has to name: their requests are only in archived files. */
import type { Reader } from "../../db/pool";

/**
 * The months, such as `2026-08`, with requests of some days that are only in archived files, the first
 * one first. The days are of a time zone.
 */
export async function droppedMonths(
  client: Reader,
  { from, to, zone }: { readonly from: string; readonly to: string; readonly zone: string },
): Promise<string[]> {
  const { rows } = await client.query<{ month: string }>(
    `select to_char(month, 'YYYY-MM') as month from ledger_archive_drop
      where month::timestamp at time zone 'UTC' < ($2::date + 1)::timestamp at time zone $3
        and (month + interval '1 month') at time zone 'UTC' > $1::date::timestamp at time zone $3 order by month`,
    [from, to, zone],
  );
  return rows.map(({ month }) => month);
}

/**
 * The dropped months with requests of an account, the first one first; with times (UTC), those that
 * are after the one and before the other.
 */
export async function droppedMonthsOf(
  client: Reader,
  accountId: string,
  { after = null, before = null }: { after?: string | null; before?: string | null } = {},
): Promise<string[]> {
  const { rows } = await client.query<{ month: string }>(
    `select to_char(d.month, 'YYYY-MM') as month from ledger_archive_drop d
       cross join lateral (select d.month::timestamp at time zone 'UTC' as starts, (d.month + interval '1 month') at time zone 'UTC' as ends) t
      where t.ends > coalesce($2::timestamptz, '-infinity') and t.starts < coalesce($3::timestamptz, 'infinity')
        -- A request may begin a little later than its id.
        and exists (select from usage_hour h where h.account_id = $1 and h.hour >= t.starts and h.hour <= t.ends)
      order by d.month`,
    [accountId, after, before],
  );
  return rows.map(({ month }) => month);
}
