/** The requests of an account by day, divided by model, family or key. Read-only. */
import type pg from "pg";
import type { ChartGrouping } from "../contract/states";
import type { Micropoints } from "../points";
import { conditionOf, filterFailure, type UsageFilter, usageTables } from "./usage-log";

/** The series that are shown apart; all others are one more. */
const SERIES_MAX = 6;

export interface ChartSums {
  readonly requests: number;
  readonly inputTokens: number;
  readonly outputTokens: number;
  readonly charged: Micropoints;
  /** The median time of the settled requests; null when there are none. */
  readonly latencyMs: number | null;
  /** The median time to the first token of the streamed ones. */
  readonly firstTokenMs: number | null;
}

export interface ChartSeries extends ChartSums {
  /** A model, a family, or an API key's id, empty without a key; null for all others together. */
  readonly id: string | null;
  /** The key's name. */
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
  latency: number | null;
  first_token: number | null;
}

const groupSql: Record<ChartGrouping, string> = {
  model: "o.model",
  family: "o.family",
  key: "coalesce(o.api_key_id, '')",
};

const sumsOf = (row: Row): ChartSums => ({
  requests: Number(row.requests),
  inputTokens: Number(row.input_tokens),
  outputTokens: Number(row.output_tokens),
  charged: BigInt(row.charged),
  latencyMs: row.latency,
  firstTokenMs: row.first_token,
});

/**
 * The series of a filter, the most expensive first. Rejects with `range_too_large` when there are
 * too many requests to sum in time.
 */
export async function usageChart(
  pool: pg.Pool,
  accountId: string,
  filter: UsageFilter,
  group: ChartGrouping,
): Promise<ChartSeries[]> {
  const { sql, values } = conditionOf(accountId, filter);
  const { rows } = await pool
    .query<Row>(
      `with found as materialized (
         select to_char(o.created_at at time zone $4, 'YYYY-MM-DD') as day, ${groupSql[group]} as id, k.name, s.outcome, s.amount,
                s.input_tokens, s.output_tokens, s.duration_ms, s.first_byte_ms, s.is_stream
           from ${usageTables} where ${sql}
       ), ranked as (
         select id, least(row_number() over (order by sum(amount) desc nulls last, count(*) desc, id), ${SERIES_MAX + 1})::int as place
           from found group by id
       )
       select place, day, max(id) as id, max(name) as name, count(*) as requests, coalesce(sum(input_tokens), 0) as input_tokens,
              coalesce(sum(output_tokens), 0) as output_tokens, coalesce(sum(amount), 0)::bigint as charged,
              percentile_disc(0.5) within group (order by duration_ms) filter (where outcome = 'settled') as latency,
              percentile_disc(0.5) within group (order by first_byte_ms) filter (where outcome = 'settled' and is_stream) as first_token
         from found join ranked using (id) group by grouping sets ((place, day), (place)) order by place, day nulls first`,
      values,
    )
    .catch((error: unknown) => Promise.reject(filterFailure(error)));
  return rows
    .filter(({ day }) => day === null)
    .map((row) => ({
      id: row.place > SERIES_MAX ? null : row.id,
      name: group === "key" && row.place <= SERIES_MAX ? row.name : null,
      ...sumsOf(row),
      days: rows.flatMap((each) =>
        each.place === row.place && each.day !== null ? [{ day: each.day, ...sumsOf(each) }] : [],
      ),
    }));
}
