/** Income and upstream cost of the last 30 days by family. */

import type { OperatorPrice } from "../contract/operator-prices";
import { type Family, families } from "../contract/states";
import { readPoints } from "./points-display";

export interface FamilyMargin {
  readonly family: Family;
  /** In millionths of the currency. */
  readonly income: bigint;
  readonly cost: bigint;
  /** The share of the income that is left; null without income. */
  readonly share: number | null;
}

const shareOf = (income: bigint, cost: bigint) =>
  income === 0n ? null : Number(((income - cost) * 1000n) / income) / 1000;

/** Only of models whose upstream price is known in the currency of the points. */
export function familyMargins(prices: readonly OperatorPrice[]): FamilyMargin[] {
  return families.flatMap((family) => {
    const margins = prices.flatMap(({ family: own, days30 }) =>
      own === family && days30.margin ? [days30.margin] : [],
    );
    if (margins.length === 0) return [];
    const income = margins.reduce((sum, margin) => sum + readPoints(margin.income), 0n);
    const cost = margins.reduce((sum, margin) => sum + readPoints(margin.cost), 0n);
    return { family, income, cost, share: shareOf(income, cost) };
  });
}

/** All families together. */
export function totalMargin(margins: readonly FamilyMargin[]): Omit<FamilyMargin, "family"> {
  const income = margins.reduce((sum, each) => sum + each.income, 0n);
  const cost = margins.reduce((sum, each) => sum + each.cost, 0n);
  return { income, cost, share: shareOf(income, cost) };
}
