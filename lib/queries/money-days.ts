/** Charges, their cost and the points that are owed, by UTC day. Read-only. */
import type { Reader } from "../db/pool";
import type { Micropoints } from "../money/points";
import { costOfSums, type UpstreamPrice, type UpstreamPrices } from "../price-book/upstream-price";
import { type Margin, marginOf } from "../pricing/margin";
import { entryChange } from "./entry-change";
import type { Consumption } from "./money-sums";
import { endedDays } from "./total-facts";

const DAY_MS = 86_400_000;

export interface DayConsumption extends Consumption {
  readonly day: string;
  readonly model: string;
}

/** Settled requests by day and model, days in order. */
export async function chargesByDayAndModel(pool: Reader, from: Date): Promise<DayConsumption[]> {
  const { rows } = await pool.query<
    Record<"day" | "model" | "count" | "points" | "input" | "output", string>
  >(
    `with ${endedDays}
     select day::text, model, sum(settled)::text as count, sum(amount)::text as points, sum(input_tokens)::text as input,
            sum(output_tokens)::text as output from days where settled > 0 group by 1, 2 order by 1, 2`,
    [from],
  );
  return rows.map(({ day, model, count, points, input, output }) => ({
    day,
    model,
    count: Number(count),
    points: BigInt(points),
    inputTokens: Number(input),
    outputTokens: Number(output),
  }));
}

/** The sums of each group, in the order in which the groups first occur. */
export function sumsBy(
  rows: readonly DayConsumption[],
  groupOf: (row: DayConsumption) => string,
): Map<string, Consumption> {
  const sums = new Map<string, Consumption>();
  for (const row of rows) {
    const known = sums.get(groupOf(row));
    sums.set(groupOf(row), {
      count: (known?.count ?? 0) + row.count,
      points: (known?.points ?? 0n) + row.points,
      inputTokens: (known?.inputTokens ?? 0) + row.inputTokens,
      outputTokens: (known?.outputTokens ?? 0) + row.outputTokens,
    });
  }
  return sums;
}

/** What the tokens cost at an upstream price, in millionths of its currency. */
export const costOf = (price: UpstreamPrice, used: Consumption): bigint =>
  costOfSums(price, {
    requests: used.count,
    inputTokens: BigInt(used.inputTokens),
    outputTokens: BigInt(used.outputTokens),
  });

/**
 * What these charges are worth and cost, at the recorded upstream price of their model; null when
 * there is none in the currency of the points.
 */
export function marginOfModel(
  { ofModels, pointPrice }: UpstreamPrices,
  model: string,
  used: Consumption,
): Margin | null {
  const price = ofModels.get(model);
  if (price === undefined) return null;
  const cost = { currency: price.currency, amount: costOf(price, used) };
  return marginOf(used.points, cost, pointPrice);
}

/** Worth and cost by day, of the models whose cost is known. */
export function marginsByDay(
  prices: UpstreamPrices,
  rows: readonly DayConsumption[],
): ReadonlyMap<string, { income: bigint; cost: bigint }> {
  const days = new Map<string, { income: bigint; cost: bigint }>();
  for (const row of rows) {
    const margin = marginOfModel(prices, row.model, row);
    if (margin === null) continue;
    const known = days.get(row.day) ?? { income: 0n, cost: 0n };
    days.set(row.day, {
      income: known.income + margin.income,
      cost: known.cost + margin.cost,
    });
  }
  return days;
}

/**
 * The points of all accounts, available and held, at the end of each day from `from` to today. They
 * are reckoned back from the balances of this moment.
 */
export async function outstandingByDay(
  pool: Reader,
  from: Date,
): Promise<{ day: string; points: Micropoints }[]> {
  const { rows } = await pool.query<{
    total: string;
    today: string;
    day: string | null;
    change: string;
  }>(
    `with ${endedDays}
     select w.total::text, (now() at time zone 'UTC')::date::text as today, c.day::text, coalesce(c.change, 0)::text as change
       from (select coalesce(sum(credits_posted - debits_posted), 0) as total from wallet) w
       left join (
         select day, sum(change) as change from (
           select (created_at at time zone 'UTC')::date as day, ${entryChange} as change
             from ledger_entry where created_at >= $1
           union all select day, -amount from days) e group by day) c on true`,
    [from],
  );
  const changes = new Map(rows.map(({ day, change }) => [day, BigInt(change)]));
  const [first] = rows;
  if (first === undefined) throw new Error("a sum over nothing is still a row");
  const days: { day: string; points: Micropoints }[] = [];
  let points = BigInt(first.total);
  for (let at = Date.parse(first.today); at >= from.getTime(); at -= DAY_MS) {
    const day = new Date(at).toISOString().slice(0, 10);
    days.unshift({ day, points });
    points -= changes.get(day) ?? 0n;
  }
  return days;
}
