/** What a balance or a budget lasts for at the pace of the last days. */
import { readPoints } from "./points-display";

/** The days whose mean is the pace. */
export const PACE_DAYS = 7;

const sumOf = (amounts: readonly string[]) =>
  amounts.reduce((sum, amount) => sum + readPoints(amount), 0n);

/** The sum of the last `days` of these amounts by day, the latest last. */
export const lastDaysSum = (amounts: readonly string[], days: number): bigint =>
  sumOf(amounts.slice(-days));

/**
 * For how many days an amount lasts at the mean of the given days; null when nothing was spent on
 * them. Halves of days count, so that less than one can be told from one.
 */
export function daysLeft(left: bigint, spentByDay: readonly string[]): number | null {
  const spent = sumOf(spentByDay);
  if (spent <= 0n) return null;
  if (left <= 0n) return 0;
  return Number((left * BigInt(spentByDay.length) * 2n) / spent) / 2;
}
