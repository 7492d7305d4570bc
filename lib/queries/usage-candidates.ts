/**
 * Finds the newest requests of a filter without reading all those that do not match: the sums say in
 * which hours there are some. Requests that no sum counts yet are looked at one by one.
 */
import {
  beginOf,
  conditionOf,
  isOfAmounts,
  keysOf,
  tagConditions,
  type UsageFilter,
} from "./usage-filter";

/** Hours whose requests are only in archived files; those beside them may have some that are not. */
const isDropped = `exists (select from ledger_archive_drop d
  where h.hour >= d.month::timestamp at time zone 'UTC' + interval '1 hour' and h.hour < (d.month + interval '1 month') at time zone 'UTC' - interval '1 hour')`;

/** The hours (UTC) with requests of the filter, newest first, read as far as they are needed. */
function hoursSql(filter: UsageFilter, values: unknown[], before: string | null): string {
  const { status } = filter;
  const parts = [
    "h.account_id = $1",
    `h.hour > ${beginOf("$2::date")} - interval '1 hour'`,
    `h.hour <= ${before ?? beginOf("$3::date + 1")}`,
    `not ${isDropped}`,
  ];
  if (filter.model !== undefined) parts.push(`h.model = $${values.push(filter.model)}`);
  if (filter.key !== undefined)
    parts.push(`h.api_key_id = $${values.push(filter.key === "none" ? "" : filter.key)}`);
  if (filter.member !== undefined)
    parts.push(`(h.api_key_id = '' or h.api_key_id in ${keysOf(values.push(filter.member))})`);
  if (filter.dialect !== undefined) parts.push(`h.dialect = $${values.push(filter.dialect)}`);
  parts.push(...tagConditions(filter, "h", values));
  if (status === "settled" || status === "released") parts.push(`h.${status} > 0`);
  return `select distinct h.hour from usage_hour h where ${parts.join(" and ")} order by h.hour desc`;
}

/**
 * A query of the ids and times of the newest `limit` requests of a filter, after a cursor, and its
 * values.
 */
export function candidates(
  accountId: string,
  filter: UsageFilter,
  after: readonly [at: string, id: string] | null,
  limit: number,
): { sql: string; values: unknown[] } {
  const { status, model, key, member, dialect, tag } = filter;
  const { sql: condition, values } = conditionOf(
    accountId,
    status === "held" ? { ...filter, status: undefined } : filter,
  );
  const before = after === null ? null : `$${values.push(after[0])}::timestamptz`;
  const afterSql = after
    ? `and (r.created_at, r.id) < (${before}, $${values.push(after[1])}::uuid)`
    : "";
  const where = `${condition} ${afterSql}`;
  const newest = `order by r.created_at desc, r.id desc limit $${values.push(limit)}`;
  const row = "select r.id, r.created_at from";
  const open = `${row} open_request r where ${where} ${newest}`;
  if (status === "held") return { sql: open, values };
  if ((status ?? model ?? key ?? member ?? dialect ?? tag) === undefined)
    return { sql: `${row} request_known r where ${where} ${newest}`, values };
  const sources = [
    `${row} (${hoursSql(filter, values, before)}) h
       cross join lateral (select r.id, r.created_at from request r
         where ${where} and r.created_at >= h.hour and r.created_at < h.hour + interval '1 hour' offset 0) r
      ${newest.replace("order by", "order by h.hour desc,")}`,
    `${row} usage_waiting w join request r on r.id = w.operation_id where w.account_id = $1 and ${where} ${newest}`,
    ...(status === undefined && !isOfAmounts(filter) ? [open] : []),
  ];
  const found = sources.map((source) => `(${source})`).join(" union ");
  return { sql: `${row} (${found}) r ${newest}`, values };
}
