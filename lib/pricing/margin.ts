/**
 * The margin of a price after the upstream is paid. For operators only: no charge is computed from
 * it.
 */
import type { Micropoints } from "../money/points";

/** An amount of money in millionths of its currency. */
export interface Money {
  readonly currency: string;
  readonly amount: bigint;
}

export interface Margin {
  /** The income from a price in points, in millionths of the currency. */
  readonly income: bigint;
  readonly cost: bigint;
  /** The share of the income in per mille, rounded down; null when there is no income. */
  readonly perMille: number | null;
}

/**
 * `points` and `cost` are for the same quantity. Null when the currencies differ: they are not
 * converted.
 */
export function marginOf(
  points: Micropoints,
  cost: Money,
  pointPrice: Money | null,
): Margin | null {
  if (pointPrice === null || pointPrice.currency !== cost.currency) return null;
  const income = (points * pointPrice.amount) / 1_000_000n;
  if (income === 0n) return { income, cost: cost.amount, perMille: null };
  const left = (income - cost.amount) * 1000n;
  const perMille = left / income - (left < 0n && left % income !== 0n ? 1n : 0n);
  return { income, cost: cost.amount, perMille: Number(perMille) };
}
