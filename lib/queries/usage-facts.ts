/**
 * The requests of a filter as rows that can be added up: the sums of whole hours, and single
 * requests where no sum has them. All in one statement, so that each request is in exactly one row.
 */
import type { HoldState } from "../contract/states";
import type { UsageFilter } from "./usage-filter";

/** The columns of a row that depend on the status which is asked for. */
const countsOf: Record<Exclude<HoldState, "held"> | "any", string> = {
  any: "r.settled, r.released, r.input_tokens, r.output_tokens, r.amount",
  settled: "r.settled, 0, r.input_tokens, r.output_tokens, r.amount",
  released: "0, r.released, 0, 0, 0",
};
const rowTimes = "array_remove(array[r.latency], null), array_remove(array[r.first_token], null)";
/** Constants for the planner, which therefore knows how much of an index is read. */
const start = "$2::date::timestamp at time zone $4";
const stop = "($3::date + 1)::timestamp at time zone $4";
const isInRange = `r.created_at >= ${start} and r.created_at < ${stop}`;
const isNotCut = "r.hour not in (select hour from cut)";

/** The conditions that every source has, on `r`; adds their values. */
function conditionsOf(filter: UsageFilter, values: unknown[]): string {
  const parts: string[] = [];
  if (filter.model !== undefined) parts.push(`r.model = $${values.push(filter.model)}`);
  if (filter.key !== undefined)
    parts.push(
      `coalesce(r.api_key_id, '') = $${values.push(filter.key === "none" ? "" : filter.key)}`,
    );
  if (filter.dialect !== undefined)
    parts.push(`coalesce(r.dialect, '') = $${values.push(filter.dialect)}`);
  return parts.map((part) => ` and ${part}`).join("");
}

/** Ended requests: from the sums, and from the rows that are in no sum or in an hour that is cut. */
function endedSources(status: "settled" | "released" | undefined, where: string): string[] {
  const counts = countsOf[status ?? "any"];
  const isWanted = where + (status === undefined ? "" : ` and r.${status} > 0`);
  const row = `select r.created_at as at, r.model, r.family, r.api_key_id, ${counts}, 0, 0, ${rowTimes}`;
  return [
    `select r.hour, r.model, r.family, r.api_key_id, ${counts}, 0, 0, r.latency, r.first_token from usage_hour r
      where r.account_id = $1 and r.hour >= ${start} and r.hour < ${stop} and ${isNotCut}${isWanted}`,
    // With the offset, each hour is looked up in the index: never the whole range for all of them.
    `${row} from cut cross join lateral (
        select * from usage_row o where o.account_id = $1 and o.created_at >= cut.begins and o.created_at < cut.ends offset 0) r
      where true${isWanted}`,
    `${row} from usage_waiting w join usage_row r on r.id = w.operation_id
      where w.account_id = $1 and ${isInRange} and ${isNotCut}${isWanted}`,
    // Nothing is read for this one when everything is counted.
    `${row} from usage_row r where (select below from usage_backfill) > '00000000-0000-0000-0000-000000000000'
        and r.account_id = $1 and r.id < (select below from usage_backfill) and not r.is_followed and ${isInRange} and ${isNotCut}${isWanted}`,
  ];
}

const runningSource = (where: string) =>
  `select r.created_at, r.model, r.family, coalesce(r.api_key_id, ''), 0, 0, 0, 0, 0, 1, q.hold_amount, '{}'::bigint[], '{}'::bigint[]
     from open_operation q join operation r on r.id = q.operation_id where q.account_id = $1 and ${isInRange}${where}`;

/** The figures of a row, in the order of the sources. */
const figures = "settled, released, input_tokens, output_tokens, amount, running, held";
const times = "latency, first_token";

/** The requests that members made in the playground, each with its member, from their notes. */
function notedSources(status: HoldState | undefined, where: string): string[] {
  const isNear = `p.account_id = $1 and p.created_at >= ${start} - interval '7 days' and p.created_at < ${stop}`;
  const sources: string[] = [];
  if (status !== "held") {
    const isWanted = status === undefined ? where : `${where} and r.${status} > 0`;
    sources.push(`select p.user_id, r.created_at, r.model, r.family, ${countsOf[status ?? "any"]}, 0, 0, ${rowTimes}
         from playground_operation p join usage_row r on r.id = p.operation_id
        where ${isNear} and r.account_id = $1 and coalesce(r.api_key_id, '') = '' and ${isInRange}${isWanted}`);
  }
  if (status === undefined || status === "held")
    sources.push(`select p.user_id, r.created_at, r.model, r.family, 0, 0, 0, 0, 0, 1, q.hold_amount, '{}'::bigint[], '{}'::bigint[]
         from playground_operation p join open_operation q on q.operation_id = p.operation_id join operation r on r.id = q.operation_id
        where ${isNear} and q.account_id = $1 and r.api_key_id is null and ${isInRange}${where}`);
  return sources;
}

/**
 * The facts with their member: the maker of the key, or the user of the playground; empty if neither
 * is known. The sums count the playground of all members together, without a member. So each noted
 * request is added to its member, and subtracted from the rows without one.
 */
function madeSql(filter: UsageFilter, where: string, values: unknown[]): string {
  const { status, member } = filter;
  const subtracted = figures.replaceAll(/\w+/g, "-n.$&");
  const isOwn = member === undefined ? "true" : `m.member = $${values.push(member)}`;
  return `, noted (member, at, model, family, ${figures}, ${times}) as materialized (
      ${notedSources(status, where).join("\n      union all ")}
    ), made as (
      select * from (
        select at, model, family, ${figures}, f.api_key_id, ${times}, coalesce(k.created_by, '') as member
          from facts f left join api_key k on k.id = f.api_key_id and k.account_id = $1
        union all select at, model, family, ${figures}, '', ${times}, member from noted
        union all select n.at, n.model, n.family, ${subtracted}, '', '{}', '{}', '' from noted n) m where ${isOwn}
    )`;
}

/** A common table expression, whose rows are in `from`, and its values; more may follow. */
interface Facts {
  readonly sql: string;
  readonly values: unknown[];
  readonly from: "facts" | "made";
}

/**
 * The facts of a filter. With `byDay`, no row is of two days of the filter's zone, which is `$4`;
 * otherwise only the ends of the range cut hours. An hour whose requests are archived is never cut: it
 * counts where it begins. With `byMember` they have the column `member`.
 */
export function usageFacts(
  accountId: string,
  filter: UsageFilter,
  { byDay, byMember }: { readonly byDay: boolean; readonly byMember: boolean },
): Facts {
  const values: unknown[] = [accountId, filter.from, filter.to, filter.zone];
  const where = conditionsOf(filter, values);
  const midnights = byDay
    ? "generate_series($2::date::timestamp, ($3::date + 1)::timestamp, interval '1 day') m"
    : "(values ($2::date::timestamp), (($3::date + 1)::timestamp)) v (m)";
  const { status } = filter;
  const sources = [
    ...(status === "held" ? [] : endedSources(status, where)),
    ...(status === undefined || status === "held" ? [runningSource(where)] : []),
  ];
  const sql = `cut as materialized (
      select distinct hour, greatest(hour, ${start}) as begins, least(hour + interval '1 hour', ${stop}) as ends
        from ${midnights} cross join lateral (select m at time zone $4 as at) t cross join lateral (select date_trunc('hour', at, 'UTC') as hour) h
       where at <> hour and not exists (select from ledger_archive_drop d where hour >= d.month::timestamp at time zone 'UTC' - interval '1 hour'
                                           and hour < (d.month + interval '1 month') at time zone 'UTC' + interval '1 hour')
    ), facts (at, model, family, api_key_id, settled, released, input_tokens, output_tokens, amount, running, held, latency, first_token) as (
      ${sources.join("\n      union all ")}
    )`;
  if (!byMember && filter.member === undefined) return { sql, values, from: "facts" };
  return { sql: sql + madeSql(filter, where, values), values, from: "made" };
}
