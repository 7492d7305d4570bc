/** What is left of a price when the upstream is paid. For an operator's eyes alone: nothing is charged by it. */
import type { Micropoints } from "../points";

/** An amount of money in millionths of its currency. */
export interface Money {
  readonly currency: string;
  readonly amount: bigint;
}

export interface Margin {
  /** What a price in points brings, in millionths of the currency. */
  readonly income: bigint;
  readonly cost: bigint;
  /** Of the income, in per mille, rounded down; null when nothing comes in. */
  readonly perMille: number | null;
}

/** `points` and `cost` are for the same quantity. Null where the currencies differ: they are not converted. */
export function marginOf(points: Micropoints, cost: Money, pointPrice: Money | null): Margin | null {
  if (pointPrice === null || pointPrice.currency !== cost.currency) return null;
  const income = (points * pointPrice.amount) / 1_000_000n;
  if (income === 0n) return { income, cost: cost.amount, perMille: null };
  const left = (income - cost.amount) * 1000n;
  const perMille = left / income - (left < 0n && left % income !== 0n ? 1n : 0n);
  return { income, cost: cost.amount, perMille: Number(perMille) };
}
