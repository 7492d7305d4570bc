/** The requests of an account by day, divided by model, family or key. Read-only. */

import type { ChartGrouping, ChartTimes } from "../contract/states";
import type { UsageChart } from "../contract/usage-chart";
import type { Reader } from "../db/pool";
import { groupName } from "./group-name";
import { addSteps, noSteps, quantileStep, timeOf } from "./step-time";
import type { Stored } from "./stored";
import { ID_SEPARATOR, idPart, usageFacts } from "./usage-facts";
import { filterFailure, type UsageFilter } from "./usage-filter";

/** The series of their own; the others are added up in one more. */
const SERIES_MAX = 6;
/** A power of two above the number of series. */
const SLOTS = 8;

type SeriesView = UsageChart["series"][number];
export type ChartSums = Stored<Omit<SeriesView["days"][number], "day">, "charged", never>;

export type ChartSeries = Stored<Omit<SeriesView, "days">, "charged", never> & {
  /** Only days with requests, in order. */
  readonly days: readonly (ChartSums & { readonly day: string })[];
};

interface Row {
  place: number;
  /** Null for the sums over all days. */
  day: string | null;
  id: string;
  name: string | null;
  second_name: string | null;
  requests: string;
  input_tokens: string;
  output_tokens: string;
  charged: string;
  /** Entries of histograms, of days only. */
  latency: Buffer | null;
  first_token: Buffer | null;
}

/** The sums of a row, with the times of `timed`. */
function sumsOf(row: Row, timed: readonly Row[]): ChartSums {
  const [latencyMs, latencyP95Ms] = timesOf(timed, "latency");
  const [firstTokenMs, firstTokenP95Ms] = timesOf(timed, "first_token");
  return {
    requests: Number(row.requests),
    inputTokens: Number(row.input_tokens),
    outputTokens: Number(row.output_tokens),
    charged: BigInt(row.charged),
    latencyMs,
    latencyP95Ms,
    firstTokenMs,
    firstTokenP95Ms,
  };
}

interface ChartWishes {
  readonly times?: ChartTimes;
  /** Divides each group once more. */
  readonly thenBy?: ChartGrouping | undefined;
  /** The name of the tag of a grouping by one. */
  readonly tag?: string | undefined;
}

/** Sums by series and day. A slot is a day of a series. */
const sumsSql = `
  found as materialized (
    select day, id, sum(settled + released + running)::bigint as requests,
           sum(input_tokens)::bigint as input_tokens, sum(output_tokens)::bigint as output_tokens, sum(amount)::bigint as amount
      from facts group by 1, 2
  ), ranked as materialized (
    select id, least(row_number() over (order by sum(amount) desc, sum(requests) desc, id), ${SERIES_MAX + 1})::int as place from found group by id
      having sum(requests) <> 0
  ), sums as (
    select place, day, (day - $2::date) * ${SLOTS} + place as slot, max(id) as id, sum(requests) as requests,
           sum(input_tokens) as input_tokens, sum(output_tokens) as output_tokens, sum(amount)::bigint as charged
      from found join ranked using (id) group by grouping sets ((place, day), (place)) having sum(requests) <> 0
  )`;

/** Where the times that are asked for are, and what is added to a step in a key. */
const timeColumns = { latency: ["latency", 0], firstToken: ["first_token", 512] } as const;
const columnsOf = {
  yes: [timeColumns.latency, timeColumns.firstToken],
  latency: [timeColumns.latency],
  firstToken: [timeColumns.firstToken],
  no: [],
};

const noTimes =
  "times as (select null::int as slot, null::bytea as latency, null::bytea as first_token where false)";

/**
 * The histogram of each slot, as a list of entries. A year of a large account has most of a million
 * entries to add up, so each has one number as its key: 1024 × slot + step, with 512 more for the
 * second of the times.
 */
function timesSql(times: ChartTimes): string {
  if (times === "no") return noTimes;
  const entries = columnsOf[times].map(
    ([column, more]) =>
      `select ((f.day - $2::date) * ${SLOTS} + r.place) * 1024 + ${more} as key, unnest(f.${column}) as e
             from timed f join ranked r using (id)`,
  );
  return `
  counted as (
    select key + (e & 511)::int as key, sum((e >> 9)::int) as n from (${entries.join(" union all ")}) t
     group by 1 having sum((e >> 9)::int) > 0
  ), times as (
    select key >> 10 as slot, string_agg(int8send((n << 9) | (key & 511)), '') filter (where key & 512 = 0) as latency,
           string_agg(int8send((n << 9) | (key & 511)), '') filter (where key & 512 <> 0) as first_token
      from counted group by 1
  )`;
}

/** The median and the 95th percentile of the histograms of some rows together. */
function timesOf(rows: readonly Row[], time: "latency" | "first_token") {
  const counts = rows.reduce((sums, row) => addSteps(sums, row[time]), noSteps());
  return [timeOf(quantileStep(counts, 0.5)), timeOf(quantileStep(counts, 0.95))] as const;
}

/**
 * The series of a filter, the most expensive first. Times that are not asked for are null,
 * and take no time. Rejects with `range_too_large` when there are too many requests to
 * sum in time.
 */
export async function usageChart(
  pool: Reader,
  accountId: string,
  filter: UsageFilter,
  group: ChartGrouping,
  { times = "yes", thenBy, tag }: ChartWishes = {},
): Promise<ChartSeries[]> {
  const { sql, values } = usageFacts(accountId, filter, { by: group, thenBy, byDay: true, tag });
  const { rows } = await pool
    .query<Row>(
      `with ${sql}, ${sumsSql}, ${timesSql(times)}
       select s.*, to_char(s.day, 'YYYY-MM-DD') as day, ${groupName(group, idPart("s.id", 1))} as name,
              ${groupName(thenBy, idPart("s.id", 2))} as second_name, m.latency, m.first_token
         from sums s left join times m using (slot) order by s.place, s.day nulls first`,
      values,
    )
    .catch((error: unknown) => Promise.reject(filterFailure(error)));
  return rows
    .filter(({ day }) => day === null)
    .map((row) => {
      const days = rows.filter(({ place, day }) => place === row.place && day !== null);
      const isOthers = row.place > SERIES_MAX;
      const [id = "", second] = row.id.split(ID_SEPARATOR);
      return {
        id: isOthers ? null : id,
        name: isOthers ? null : row.name,
        second: isOthers || second === undefined ? null : { id: second, name: row.second_name },
        ...sumsOf(row, days),
        days: days.flatMap((each) =>
          each.day === null ? [] : [{ day: each.day, ...sumsOf(each, [each]) }],
        ),
      };
    });
}
