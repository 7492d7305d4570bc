/** The requests of an account by filter: as a paged list, as sums, and one in detail. Read-only. */
import type pg from "pg";
import type { Dialect, HoldState } from "../contract/states";
import { isInvalidParameter, rangeFailure } from "../db/database-errors";
import { RelayError } from "../errors";
import type { Micropoints } from "../points";
import {
  type HistoryLine,
  type RequestRow,
  readCursor,
  requestColumns,
  requestLine,
  writeCursor,
} from "./history";

export interface UsageFilter {
  /** The first and the last day, both included, such as `2026-11-21`, in the time zone `zone`. */
  readonly from: string;
  readonly to: string;
  /** IANA name, such as `Europe/Berlin`. */
  readonly zone: string;
  readonly model?: string | undefined;
  /** An API key's id, or `none` for requests from pages. */
  readonly key?: string | undefined;
  readonly status?: HoldState | undefined;
  readonly dialect?: Dialect | undefined;
}

export interface UsageSum {
  readonly requests: number;
  readonly settled: number;
  readonly released: number;
  readonly running: number;
  readonly inputTokens: number;
  readonly outputTokens: number;
  readonly charged: Micropoints;
  /** What running requests hold. */
  readonly held: Micropoints;
}

export interface UsageGroup extends UsageSum {
  /** A day, a model, or an API key's id; empty for requests without a key. */
  readonly id: string;
  /** The key's name. */
  readonly name: string | null;
}

const GROUPS_MAX = 400;

export const usageColumns = requestColumns();
export const usageTables =
  "operation o left join settlement s on s.operation_id = o.id left join api_key k on k.id = o.api_key_id";
const sums = `count(*) as requests, count(*) filter (where s.outcome = 'settled') as settled,
  count(*) filter (where s.outcome = 'released') as released, count(*) filter (where s.outcome is null) as running,
  coalesce(sum(s.input_tokens), 0) as input_tokens, coalesce(sum(s.output_tokens), 0) as output_tokens,
  coalesce(sum(s.amount), 0)::bigint as charged, coalesce(sum(o.hold_amount) filter (where s.outcome is null), 0)::bigint as held`;

const statusSql = {
  held: "s.outcome is null",
  settled: "s.outcome = 'settled'",
  released: "s.outcome = 'released'",
};

/** The SQL condition of a filter and its values; more values may follow. */
export function conditionOf(
  accountId: string,
  filter: UsageFilter,
): { sql: string; values: unknown[] } {
  const values: unknown[] = [accountId, filter.from, filter.to, filter.zone];
  const parts = [
    "o.account_id = $1",
    "o.created_at >= $2::date::timestamp at time zone $4",
    "o.created_at < ($3::date + 1)::timestamp at time zone $4",
  ];
  if (filter.model !== undefined) parts.push(`o.model = $${values.push(filter.model)}`);
  if (filter.key === "none") parts.push("o.api_key_id is null");
  else if (filter.key !== undefined) parts.push(`o.api_key_id = $${values.push(filter.key)}`);
  if (filter.status !== undefined) parts.push(statusSql[filter.status]);
  if (filter.dialect !== undefined) parts.push(`o.dialect = $${values.push(filter.dialect)}`);
  return { sql: parts.join(" and "), values };
}

/**
 * Turns an error that the filter caused into one for the reader; any other error stays an internal
 * one.
 */
export function filterFailure(error: unknown): unknown {
  if (isInvalidParameter(error))
    return new RelayError("invalid_value", {
      param: "zone",
      message: "The time zone is unknown.",
      cause: error,
    });
  return rangeFailure(error);
}

export interface UsagePage {
  readonly lines: HistoryLine[];
  readonly nextCursor: string | null;
}

/**
 * A page of requests by the time they were made, newest first. Throws `invalid_value` for a cursor
 * that is not ours or an unknown time zone.
 */
export async function usagePage(
  pool: pg.Pool,
  accountId: string,
  filter: UsageFilter,
  { cursor, limit = 50 }: { cursor?: string | undefined; limit?: number } = {},
): Promise<UsagePage> {
  const after = readCursor(cursor).request;
  const { sql, values } = conditionOf(accountId, filter);
  const afterSql = after
    ? `and (o.created_at, o.id) < ($${values.push(after[0])}::timestamptz, $${values.push(after[1])}::uuid)`
    : "";
  const { rows } = await pool
    .query<RequestRow>(
      `select ${usageColumns} from ${usageTables} where ${sql} ${afterSql} order by o.created_at desc, o.id desc limit $${values.push(limit + 1)}`,
      values,
    )
    .catch((error: unknown) => Promise.reject(filterFailure(error)));
  const page = rows.slice(0, limit);
  const last = page.at(-1);
  return {
    lines: page.map(requestLine),
    nextCursor:
      rows.length > page.length && last
        ? writeCursor({ request: [last.exact, last.id], entry: null })
        : null,
  };
}

type SumRow = Record<
  | "requests"
  | "settled"
  | "released"
  | "running"
  | "input_tokens"
  | "output_tokens"
  | "charged"
  | "held",
  string
>;

const sumOf = (row: SumRow): UsageSum => ({
  requests: Number(row.requests),
  settled: Number(row.settled),
  released: Number(row.released),
  running: Number(row.running),
  inputTokens: Number(row.input_tokens),
  outputTokens: Number(row.output_tokens),
  charged: BigInt(row.charged),
  held: BigInt(row.held),
});

const groupSql = {
  day: "to_char(o.created_at at time zone $4, 'YYYY-MM-DD')",
  model: "o.model",
  key: "coalesce(o.api_key_id, '')",
};

/**
 * The totals of all requests of a filter, and the sums by day, model or key: the most expensive
 * first, days in order.
 */
export async function usageSummary(
  pool: pg.Pool,
  accountId: string,
  filter: UsageFilter,
  group: keyof typeof groupSql,
): Promise<{ total: UsageSum; groups: UsageGroup[] }> {
  const { sql, values } = conditionOf(accountId, filter);
  const { rows } = await pool
    .query<SumRow & { is_total: boolean; id: string; name: string | null }>(
      `select grouping(g.id) = 1 as is_total, g.id, max(k.name) as name, ${sums}
         from ${usageTables} cross join lateral (select ${groupSql[group]} as id) g where ${sql}
        group by grouping sets ((g.id), ()) order by is_total desc, ${group === "day" ? "g.id" : "charged desc, requests desc, g.id"} limit $${values.push(GROUPS_MAX + 1)}`,
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
      name: group === "key" ? row.name : null,
    })),
  };
}

/** The number of requests that match the filter, counted up to `limit`. */
export async function countUsage(
  pool: pg.Pool,
  accountId: string,
  filter: UsageFilter,
  limit: number,
): Promise<number> {
  const { sql, values } = conditionOf(accountId, filter);
  const { rows } = await pool
    .query<{ count: number }>(
      `select count(*)::integer as count from (select from ${usageTables} where ${sql} limit $${values.push(limit)}) counted`,
      values,
    )
    .catch((error: unknown) => Promise.reject(filterFailure(error)));
  return rows[0]?.count ?? 0;
}

const RUNNING_MAX = 50;

/** The account's requests that hold points now, newest first, at most 50. */
export async function runningRequests(pool: pg.Pool, accountId: string): Promise<HistoryLine[]> {
  const { rows } = await pool.query<RequestRow>(
    `select ${usageColumns} from open_operation q join ${usageTables.replace("operation o", "operation o on o.id = q.operation_id")}
      where q.account_id = $1 order by o.created_at desc, o.id desc limit ${RUNNING_MAX}`,
    [accountId],
  );
  return rows.map(requestLine);
}
