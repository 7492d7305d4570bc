/** Sums over all accounts, for operators. */

import { type HoldAge, holdAges } from "../contract/states";
import { isOutage } from "../db/database-errors";
import type { Reader } from "../db/pool";
import type { Micropoints } from "../money/points";
import { holdsByAge } from "./stuck-work";
import { endedDays } from "./total-facts";

export interface Sum {
  readonly count: number;
  readonly points: Micropoints;
}

type SumRow = { count: number; points: string };
const sumOf = ({ count, points }: SumRow): Sum => ({ count, points: BigInt(points) });

export async function liabilities(
  pool: Reader,
): Promise<{ available: Micropoints; held: Micropoints; accounts: number }> {
  const { rows } = await pool.query<{ available: string; held: string; accounts: number }>(
    `select coalesce(sum(credits_posted - debits_posted - debits_pending), 0)::text as available,
            coalesce(sum(debits_pending), 0)::text as held, count(*)::int as accounts from wallet`,
  );
  return {
    available: BigInt(rows[0]?.available ?? 0),
    held: BigInt(rows[0]?.held ?? 0),
    accounts: rows[0]?.accounts ?? 0,
  };
}

/** The balance changes since a time that are not charges, by kind. */
export async function creditsByKind(pool: Reader, from: Date): Promise<(Sum & { kind: string })[]> {
  const { rows } = await pool.query<SumRow & { kind: string }>(
    "select kind, count(*)::int as count, sum(amount)::text as points from ledger_entry where created_at >= $1 group by 1 order by 1",
    [from],
  );
  return rows.map((row) => ({ kind: row.kind, ...sumOf(row) }));
}

export async function lossesByCause(
  pool: Reader,
  from: Date,
): Promise<(Sum & { cause: string })[]> {
  const { rows } = await pool.query<SumRow & { cause: string }>(
    "select cause, count(*)::int as count, sum(estimate)::text as points from operator_loss where created_at >= $1 group by 1 order by 1",
    [from],
  );
  return rows.map((row) => ({ cause: row.cause, ...sumOf(row) }));
}

/** Requests that hold points now, grouped by age; also the ages without any. */
export async function holdsOfAllAges(pool: Reader): Promise<(Sum & { age: HoldAge })[]> {
  const found = await holdsByAge(pool);
  return holdAges.map((age) => {
    const { holds: count = 0, held: points = 0n } = found.find((each) => each.age === age) ?? {};
    return { age, count, points };
  });
}

export interface Consumption extends Sum {
  readonly inputTokens: number;
  readonly outputTokens: number;
}

type ConsumptionRow = SumRow & { input: string; output: string };
const consumptionOf = (row: ConsumptionRow): Consumption => ({
  ...sumOf(row),
  inputTokens: Number(row.input),
  outputTokens: Number(row.output),
});

/**
 * Charges by the channel that answered; null when too many are not in the sums yet.
 */
export async function chargesByChannel(
  pool: Reader,
  from: Date,
): Promise<(Consumption & { channelId: string; name: string | null })[] | null> {
  try {
    const { rows } = await pool.query<ConsumptionRow & { channel: string; name: string | null }>(
      `with ${endedDays}
       select s.*, c.name from (
         select channel_id as channel, sum(settled)::int as count, sum(amount)::text as points, sum(input_tokens)::text as input,
                sum(output_tokens)::text as output from days where settled > 0 and channel_id <> '' group by 1) s
         left join channel c on c.id = s.channel order by s.points::numeric desc`,
      [from],
    );
    return rows.map((row) => ({ channelId: row.channel, name: row.name, ...consumptionOf(row) }));
  } catch (error) {
    if (isOutage(error)) return null;
    throw error;
  }
}
