/** Sums over all accounts, for operators. */

import { type HoldAge, holdAges } from "../contract/states";
import { isOutage } from "../db/database-errors";
import type { Reader } from "../db/pool";
import type { Micropoints } from "../money/points";
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

/** Requests that hold points now, grouped by age. */
export async function holdsByAge(pool: Reader): Promise<(Sum & { age: HoldAge })[]> {
  const { rows } = await pool.query<SumRow & { age: HoldAge }>(
    `select age, count(*)::int as count, sum(hold_amount)::text as points
       from (select hold_amount, case when created_at > now() - interval '1 minute' then 'minute'
                      when created_at > now() - interval '10 minutes' then 'tenMinutes' when created_at > now() - interval '1 hour' then 'hour'
                      when created_at > now() - interval '1 day' then 'day' else 'older' end as age
               from open_request) h group by 1`,
  );
  return holdAges.map((age) => ({
    age,
    ...sumOf(rows.find((row) => row.age === age) ?? { count: 0, points: "0" }),
  }));
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
