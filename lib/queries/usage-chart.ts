/** The requests of an account by day, divided by model, family or key. Read-only. */

import type { ChartGrouping } from "../contract/states";
import type { Reader } from "../db/pool";
import type { Micropoints } from "../points";
import { timeOf } from "./step-time";
import { usageFacts } from "./usage-facts";
import { filterFailure, type UsageFilter } from "./usage-filter";

/** The series that are shown apart; all others are one more. */
const SERIES_MAX = 6;

export interface ChartSums {
  readonly requests: number;
  readonly inputTokens: number;
  readonly outputTokens: number;
  readonly charged: Micropoints;
  /** The median time of the settled requests, to about 2 %; null when there are none. */
  readonly latencyMs: number | null;
  /** The median time to the first token of the streamed ones. */
  readonly firstTokenMs: number | null;
}

export interface ChartSeries extends ChartSums {
  /** A model, a family, or an API key's id, empty without a key, or a member's; null for all others together. */
  readonly id: string | null;
  /** The key's name, or the member's address. */
  readonly name: string | null;
  /** Only days with requests, in order. */
  readonly days: readonly (ChartSums & { readonly day: string })[];
}

interface Row {
  place: number;
  /** Null for the sums over all days. */
  day: string | null;
  id: string;
  name: string | null;
  requests: string;
  input_tokens: string;
  output_tokens: string;
  charged: string;
  /** The steps of the medians. */
  latency: number | null;
  first_token: number | null;
}

const groupSql: Record<ChartGrouping, string> = {
  model: "model",
  family: "family",
  key: "api_key_id",
  member: "member",
};

const sumsOf = (row: Row): ChartSums => ({
  requests: Number(row.requests),
  inputTokens: Number(row.input_tokens),
  outputTokens: Number(row.output_tokens),
  charged: BigInt(row.charged),
  latencyMs: timeOf(row.latency),
  firstTokenMs: timeOf(row.first_token),
});

/** Sums by series and day. Each fact is read once: a year of a large account has 150,000. */
const sumsSql = (group: ChartGrouping, from: string) => `
  found as materialized (
    select (at at time zone $4)::date as day, ${groupSql[group]} as id, sum(settled + released + running)::bigint as requests,
           sum(input_tokens)::bigint as input_tokens, sum(output_tokens)::bigint as output_tokens, sum(amount)::bigint as amount
      from ${from} group by 1, 2
  ), ranked as (
    select id, least(row_number() over (order by sum(amount) desc, sum(requests) desc, id), ${SERIES_MAX + 1})::int as place from found group by id
      having sum(requests) <> 0
  ), sums as (
    select place, day, max(id) as id, sum(requests) as requests, sum(input_tokens) as input_tokens, sum(output_tokens) as output_tokens,
           sum(amount)::bigint as charged from found join ranked using (id) group by grouping sets ((place, day), (place))
  )`;

/** The median of each histogram: the first step with half of the requests. */
const mediansSql = (group: ChartGrouping, from: string) => `
  counted as (
    select (at at time zone $4)::date as day, ${groupSql[group]} as id, is_first, e & 511 as step, sum(e >> 9) as n
      from ${from} cross join lateral (select false as is_first, unnest(latency) as e union all select true, unnest(first_token)) t
     group by 1, 2, 3, 4
  ), steps as (
    select place, day, is_first, step, sum(n) as n from counted join ranked using (id)
     group by grouping sets ((place, day, is_first, step), (place, is_first, step))
  ), medians as (
    select place, day, min(step) filter (where not is_first)::int as latency, min(step) filter (where is_first)::int as first_token
      from (select *, sum(n) over (own order by step) * 2 >= sum(n) over own as is_half from steps window own as (partition by place, day, is_first)) s
     where is_half group by 1, 2
  )`;
const noMedians =
  "medians as (select null::int as place, null::date as day, null::int as latency, null::int as first_token where false)";

/**
 * The series of a filter, the most expensive first. Without `hasTimes` all medians are null, and it
 * takes a fraction of the time. Rejects with `range_too_large` when there are too many requests to
 * sum in time.
 */
export async function usageChart(
  pool: Reader,
  accountId: string,
  filter: UsageFilter,
  group: ChartGrouping,
  { hasTimes = true } = {},
): Promise<ChartSeries[]> {
  const by = { byDay: true, byMember: group === "member" };
  const { sql, values, from } = usageFacts(accountId, filter, by);
  const medians = hasTimes ? mediansSql(group, from) : noMedians;
  const { rows } = await pool
    .query<Row>(
      `with ${sql}, ${sumsSql(group, from)}, ${medians}
       select s.*, to_char(s.day, 'YYYY-MM-DD') as day, coalesce(k.name, u.email) as name, m.latency, m.first_token
         from sums s left join medians m on m.place = s.place and m.day is not distinct from s.day
         left join api_key k on k.id = s.id and k.account_id = $1 and ${group === "key"}
         left join "user" u on u.id = s.id and ${group === "member"}
        order by s.place, s.day nulls first`,
      values,
    )
    .catch((error: unknown) => Promise.reject(filterFailure(error)));
  return rows
    .filter(({ day }) => day === null)
    .map((row) => ({
      id: row.place > SERIES_MAX ? null : row.id,
      name: row.place > SERIES_MAX ? null : row.name,
      ...sumsOf(row),
      days: rows.flatMap((each) =>
        each.place === row.place && each.day !== null ? [{ day: each.day, ...sumsOf(each) }] : [],
      ),
    }));
}
