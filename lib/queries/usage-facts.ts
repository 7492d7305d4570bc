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
const start = "$2::date::timestamp at time zone $4";
const stop = "($3::date + 1)::timestamp at time zone $4";
const isInRange = `r.created_at >= ${start} and r.created_at < ${stop}`;
const isNotRead = "r.hour not in (select hour from cut where way = 'read')";

/**
 * The days, or the whole range as one (`span`), and where their beginnings (sign -1) and their ends
 * (sign 1) cut an hour. `way` is where the figures of the cut hour come from: the sum of its part is
 * kept; its requests are only in files, so it is whole and counts where it begins; or its requests
 * are read. Each `block` of four hours lies in one day, so its sum is taken. The sums of hours are
 * taken in the gaps between them.
 */
const spansSql = (byDay: boolean) => `
    span (day, begins, ends) as materialized (
      ${
        byDay
          ? `select d::date, d at time zone $4, (d + interval '1 day') at time zone $4
        from generate_series($2::date::timestamp, $3::date::timestamp, interval '1 day') d`
          : `select null::date, ${start}, ${stop}`
      }
    ), cut as materialized (
      select day, at, sign, hour,
             case when exists (select from usage_cut c where c.account_id = $1 and c.at = v.at) then 'kept'
                  when exists (select from ledger_archive_drop d where hour >= d.month::timestamp at time zone 'UTC' - interval '1 hour'
                                  and hour < (d.month + interval '1 month') at time zone 'UTC' + interval '1 hour') then 'whole'
                  else 'read' end as way
        from span cross join lateral (values (begins, -1), (ends, 1)) v (at, sign)
             cross join lateral (select date_trunc('hour', at, 'UTC') as hour) h
       where at <> hour and begins < ends
    ), block as materialized (
      select day, at from span s cross join lateral (
        select at from usage_block_mark m where m.account_id = $1 and m.at >= s.begins and m.at <= s.ends - interval '4 hours' offset 0) m
    ), gap as materialized (
      select lag(at + interval '4 hours', 1, date_trunc('hour', ${start}, 'UTC')) over (order by at) as begins, at as ends
        from (select at from block union all select ${stop}) b
    )`;

/** The hours whose sums are not taken: their requests are read, or they are beside the range. */
const isTaken = `r.hour not in (select hour from cut where way = 'read' or way = 'whole' and at = ${start} or way = 'kept' and at = ${stop})`;
/** The day of an hour. Where a kept one is cut, it is the later one. Looking up a time zone takes longer. */
const dayOfHour = `$2::date - 1 + width_bucket(r.hour, (
    select array_agg(case b.way when 'kept' then b.hour else coalesce(b.hour + interval '1 hour', s.begins) end order by s.day)
      from span s left join cut b on b.at = s.begins and b.sign = -1))`;

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

const noTimes = "'{}'::bigint[], '{}'::bigint[]";

/** The day of a request. */
const dayOf = (byDay: boolean) => (byDay ? "(r.created_at at time zone $4)::date" : "null::date");

/** The entries of a histogram with their counts below zero. */
const subtractedTimes = (column: string) =>
  `array(select e - ((e >> 9) << 10) from unnest(${column}) e)`;

/**
 * Ended requests: from the sums, and from the rows that are in no sum or in an hour that is read. In
 * the lateral subqueries `offset 0` has the index searched for each of the outer rows.
 */
function endedSources(
  status: "settled" | "released" | undefined,
  where: string,
  { byDay, hasTimes }: { readonly byDay: boolean; readonly hasTimes: boolean },
): string[] {
  const day = dayOf(byDay);
  const counts = countsOf[status ?? "any"];
  const signed = counts.replaceAll("r.", "c.sign * r.");
  const isWanted = where + (status === undefined ? "" : ` and r.${status} > 0`);
  const row = `select ${day}, r.model, r.family, r.api_key_id, ${counts}, 0, 0, ${rowTimes}`;
  return [
    `select b.day, r.model, r.family, r.api_key_id, ${counts}, 0, 0, r.latency, r.first_token
       from block b cross join lateral (select * from usage_block r where r.account_id = $1 and r.at = b.at${isWanted} offset 0) r`,
    `select ${byDay ? dayOfHour : "null::date"}, r.model, r.family, r.api_key_id, ${counts}, 0, 0, r.latency, r.first_token
       from gap g cross join lateral (select * from usage_hour r where r.account_id = $1 and r.hour >= g.begins and r.hour < g.ends${isWanted} offset 0) r
      where ${isTaken}`,
    // The hour counts on the day that begins in it. Its part counts on the day before, and is subtracted.
    `select c.day, r.model, r.family, r.api_key_id, ${signed}, 0, 0, ${hasTimes ? `${signedTimes("latency")}, ${signedTimes("first_token")}` : noTimes}
       from cut c cross join lateral (select * from usage_part r where r.account_id = $1 and r.at = c.at${isWanted} offset 0) r where c.way = 'kept'`,
    `select c.day, r.model, r.family, r.api_key_id, ${counts}, 0, 0, ${rowTimes} from cut c cross join lateral (
        select * from usage_row o where o.account_id = $1 and o.created_at >= case c.sign when 1 then c.hour else c.at end
           and o.created_at < case c.sign when 1 then c.at else c.hour + interval '1 hour' end offset 0) r
      where c.way = 'read'${isWanted}`,
    `${row} from usage_waiting w join usage_row r on r.id = w.operation_id
      where w.account_id = $1 and ${isInRange} and ${isNotRead}${isWanted}`,
  ];
}

const signedTimes = (column: string) =>
  `case c.sign when 1 then r.${column} else ${subtractedTimes(`r.${column}`)} end`;

const runningSource = (where: string, day: string) =>
  `select ${day}, r.model, r.family, coalesce(r.api_key_id, ''), 0, 0, 0, 0, 0, 1, r.hold_amount, '{}'::bigint[], '{}'::bigint[]
     from open_request r where r.account_id = $1 and ${isInRange}${where}`;

/** The figures of a row, in the order of the sources. */
const figures = "settled, released, input_tokens, output_tokens, amount, running, held";
const times = "latency, first_token";

/** The requests that members made in the playground, each with its member, from their notes. */
function notedSources(status: HoldState | undefined, where: string, day: string): string[] {
  const isNear = `p.account_id = $1 and p.created_at >= ${start} - interval '7 days' and p.created_at < ${stop}`;
  const sources: string[] = [];
  if (status !== "held") {
    const isWanted = status === undefined ? where : `${where} and r.${status} > 0`;
    sources.push(`select p.user_id, ${day}, r.model, r.family, ${countsOf[status ?? "any"]}, 0, 0, ${rowTimes}
         from playground_operation p join usage_row r on r.id = p.operation_id
        where ${isNear} and r.account_id = $1 and coalesce(r.api_key_id, '') = '' and ${isInRange}${isWanted}`);
  }
  if (status === undefined || status === "held")
    sources.push(`select p.user_id, ${day}, r.model, r.family, 0, 0, 0, 0, 0, 1, r.hold_amount, '{}'::bigint[], '{}'::bigint[]
         from playground_operation p join open_request r on r.id = p.operation_id
        where ${isNear} and r.account_id = $1 and r.api_key_id is null and ${isInRange}${where}`);
  return sources;
}

/**
 * The facts with their member: the maker of the key, or the user of the playground; empty if neither
 * is known. The sums count the playground of all members together, without a member. So each noted
 * request is added to its member, and subtracted from the rows without one.
 */
function madeSql(filter: UsageFilter, where: string, day: string, values: unknown[]): string {
  const { status, member } = filter;
  const subtracted = figures.replaceAll(/\w+/g, "-n.$&");
  const isOwn = member === undefined ? "true" : `m.member = $${values.push(member)}`;
  return `, noted (member, day, model, family, ${figures}, ${times}) as materialized (
      ${notedSources(status, where, day).join("\n      union all ")}
    ), made as not materialized (
      select * from (
        select day, model, family, ${figures}, f.api_key_id, ${times}, coalesce(k.created_by, '') as member
          from facts f left join api_key k on k.id = f.api_key_id and k.account_id = $1
        union all select day, model, family, ${figures}, '', ${times}, member from noted
        union all select n.day, n.model, n.family, ${subtracted}, '', ${subtractedTimes("n.latency")}, ${subtractedTimes("n.first_token")}, '' from noted n) m where ${isOwn}
    )`;
}

/** A common table expression, whose rows are in `from`, and its values; more may follow. */
interface Facts {
  readonly sql: string;
  readonly values: unknown[];
  readonly from: "facts" | "made";
}

/**
 * The facts of a filter. With `byDay` each has its day in the filter's zone, which is `$4`; otherwise
 * `day` is null. With `byMember` they have the column `member`; without
 * `hasTimes` not all have their times. A group of facts may add up to nothing.
 */
export function usageFacts(
  accountId: string,
  filter: UsageFilter,
  by: {
    readonly byDay: boolean;
    readonly byMember: boolean;
    readonly hasTimes: boolean;
  },
): Facts {
  const values: unknown[] = [accountId, filter.from, filter.to, filter.zone];
  const where = conditionsOf(filter, values);
  const { byDay, byMember } = by;
  const day = dayOf(byDay);
  const { status } = filter;
  const sources = [
    ...(status === "held" ? [] : endedSources(status, where, by)),
    ...(status === undefined || status === "held" ? [runningSource(where, day)] : []),
  ];
  const sql = `${spansSql(byDay)}, facts (day, model, family, api_key_id, ${figures}, ${times}) as not materialized (
      ${sources.join("\n      union all ")}
    )`;
  if (!byMember && filter.member === undefined) return { sql, values, from: "facts" };
  return { sql: sql + madeSql(filter, where, day, values), values, from: "made" };
}
