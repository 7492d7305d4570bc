/** The sums of an account's requests. Read-only. */

import type { SummaryGrouping } from "../contract/states";
import type { UsageSum as View } from "../contract/usage";
import type { Reader } from "../db/pool";
import { groupName } from "./group-name";
import type { Stored } from "./stored";
import { usageFacts } from "./usage-facts";
import { filterFailure, type UsageFilter } from "./usage-filter";

export type UsageSum = Stored<View, "charged" | "held", never>;

export interface UsageGroup extends UsageSum {
  /** A day, a model, an API key's id, a member's, or a tag's value; empty without one. */
  readonly id: string;
  /** The key's name, or the member's address. */
  readonly name: string | null;
}

const GROUPS_MAX = 400;

const columns = [
  "settled",
  "released",
  "running",
  "input_tokens",
  "output_tokens",
  "amount",
  "held",
] as const;

type SumRow = Record<"requests" | (typeof columns)[number], string>;

const sumOf = (row: SumRow): UsageSum => ({
  requests: Number(row.requests),
  settled: Number(row.settled),
  released: Number(row.released),
  running: Number(row.running),
  inputTokens: Number(row.input_tokens),
  outputTokens: Number(row.output_tokens),
  charged: BigInt(row.amount),
  held: BigInt(row.held),
});

const sums = columns.map((name) => `sum(f.${name})::bigint as ${name}`).join(", ");
const totals = columns.map((name) => `coalesce(sum(g.${name}), 0)::bigint as ${name}`).join(", ");

/**
 * The totals of all requests of a filter, and the sums by day, model, key, member or the values of `tag`: the most expensive
 * first, days in order.
 */
export async function usageSummary(
  pool: Reader,
  accountId: string,
  filter: UsageFilter,
  group: SummaryGrouping,
  tag?: string,
): Promise<{ total: UsageSum; groups: UsageGroup[] }> {
  const isByDay = group === "day";
  const { sql, values } = usageFacts(accountId, filter, { by: group, byDay: isByDay, tag });
  const order = isByDay ? "s.id" : "s.amount desc, s.requests desc, s.id";
  const { rows } = await pool
    .query<SumRow & { is_total: boolean; id: string; name: string | null }>(
      `with ${sql}
       select s.*, ${isByDay ? "to_char(s.id, 'YYYY-MM-DD')" : "s.id"} as id, ${groupName(group, "s.id")} as name from (
         select grouping(g.id) = 1 as is_total, g.id, coalesce(sum(settled + released + running), 0)::bigint as requests, ${totals}
           from (select ${isByDay ? "f.day" : "f.id"} as id, ${sums} from facts f group by 1) g group by grouping sets ((g.id), ())) s
        where s.is_total or s.requests <> 0
        order by s.is_total desc, ${order} limit $${values.push(GROUPS_MAX + 1)}`,
      values,
    )
    .catch((error: unknown) => Promise.reject(filterFailure(error)));
  const [total, ...groups] = rows;
  if (!total?.is_total) throw new Error("a sum over nothing is still a row");
  return {
    total: sumOf(total),
    groups: groups.map((row) => ({
      ...sumOf(row),
      id: row.id,
      name: row.name,
    })),
  };
}
