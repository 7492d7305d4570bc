/** The requests of all accounts over time, for the operators' charts. Read-only. */

import type { z } from "zod";
import { failureCauseOf } from "../contract/failure-causes";
import type { trendEndpoints } from "../contract/operator-trends";
import { type Family, failureCauses, families, type TrendRange } from "../contract/states";
import { firstOperationId } from "../crypto/ids";
import { isOutage } from "../db/database-errors";
import type { Reader } from "../db/pool";
import { formatPoints } from "../money/points";
import type { QueryDeps } from "./query-deps";

const HOUR_SECONDS = 3600;
const slots: Record<TrendRange, { seconds: number; count: number }> = {
  day: { seconds: HOUR_SECONDS, count: 24 },
  week: { seconds: 6 * HOUR_SECONDS, count: 28 },
  month: { seconds: 24 * HOUR_SECONDS, count: 30 },
};
/** An id is made before its points are held, which may have to wait. */
const WAIT_MS_MAX = 15 * 60_000;

interface Range {
  readonly from: Date;
  readonly slotSeconds: number;
}

/** Whole slots (UTC) up to the one that goes on now. */
function rangeOf(range: TrendRange, now: number): Range & { readonly slotCount: number } {
  const { seconds, count } = slots[range];
  const end = Math.ceil((now + 1) / (seconds * 1000)) * seconds * 1000;
  return { from: new Date(end - count * seconds * 1000), slotSeconds: seconds, slotCount: count };
}

/** Parameters: the id and the time from which on requests are read, and a slot's seconds. */
const madeSince = "from request_known where id >= $1 and created_at >= $2";
const slotSql = "floor(extract(epoch from created_at - $2::timestamptz) / $3)::int";
const valuesOf = ({ from, slotSeconds }: Range) => [
  firstOperationId(from.getTime() - WAIT_MS_MAX),
  from,
  slotSeconds,
];

interface FamilyRow {
  family: Family;
  /** Null for the sums over the whole range. */
  slot: number | null;
  requests: number;
  charged: string;
  p95: number | null;
}

async function familyTrends(pool: Reader, range: Range) {
  const { rows } = await pool.query<FamilyRow>(
    `select family, slot, count(*)::int as requests, coalesce(sum(amount), 0)::text as charged,
            percentile_disc(0.95) within group (order by duration_ms) filter (where outcome = 'settled') as p95
       from (select family, ${slotSql} as slot, outcome, amount, duration_ms ${madeSince}) r
      group by grouping sets ((family, slot), (family)) order by slot`,
    valuesOf(range),
  );
  const view = ({ requests, charged, p95 }: FamilyRow) => ({
    requests,
    charged: formatPoints(BigInt(charged)),
    p95Ms: p95,
  });
  return families.flatMap((family) => {
    const own = rows.filter((row) => row.family === family);
    const sum = own.find(({ slot }) => slot === null);
    if (sum === undefined) return [];
    return {
      family,
      ...view(sum),
      slots: own.flatMap((row) => (row.slot === null ? [] : { slot: row.slot, ...view(row) })),
    };
  });
}

async function failureTrends(pool: Reader, range: Range) {
  const { rows } = await pool.query<{ slot: number; reason: string; requests: number }>(
    `select ${slotSql} as slot, coalesce(reason, '') as reason, count(*)::int as requests ${madeSince} and outcome = 'released'
      group by 1, 2 order by 1`,
    valuesOf(range),
  );
  const caused = rows.map((row) => ({ ...row, cause: failureCauseOf(row.reason) }));
  return failureCauses.flatMap((cause) => {
    const own = caused.filter((row) => row.cause === cause);
    if (own.length === 0) return [];
    const slots = [...new Set(own.map(({ slot }) => slot))].map((slot) => ({
      slot,
      requests: requestsOf(own.filter((row) => row.slot === slot)),
    }));
    return { cause, requests: requestsOf(own), slots };
  });
}

const requestsOf = (rows: readonly { readonly requests: number }[]) =>
  rows.reduce((sum, { requests }) => sum + requests, 0);

async function countBetween(pool: Reader, from: number, to: number): Promise<number> {
  const { rows } = await pool.query<{ requests: number }>(
    "select count(*)::int as requests from request_known where id >= $1 and id < $2",
    [firstOperationId(from), firstOperationId(to)],
  );
  return rows[0]?.requests ?? 0;
}

/** Requests, charges, times and failures by time. */
export async function showTrends(
  { pool }: Pick<QueryDeps, "pool">,
  { range: name }: { range: TrendRange },
): Promise<z.input<(typeof trendEndpoints)["showTrends"]["answer"]>> {
  const now = Date.now();
  const range = rangeOf(name, now);
  const from = range.from.getTime();
  const spanMs = now - from;
  const facts = {
    from: range.from.toISOString(),
    slotSeconds: range.slotSeconds,
    slotCount: range.slotCount,
  };
  try {
    const [ofFamilies, failures, requestsBefore] = await Promise.all([
      familyTrends(pool, range),
      failureTrends(pool, range),
      countBetween(pool, from - spanMs, from),
    ]);
    return { ...facts, trends: { families: ofFamilies, failures, requestsBefore } };
  } catch (error) {
    if (isOutage(error)) return { ...facts, trends: null };
    throw error;
  }
}
