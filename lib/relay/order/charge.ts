/** The cost of an order's usage: the upper bound to hold before, and the charge after. */
import { MICROPOINTS_MAX, type Micropoints } from "../../points";
import { type Price, priceOf, type TokenUsage } from "../../pricing/price";
import type { PricedModel } from "./find-model";

/** The amount to hold for `usage`. Throws `RangeError` where `priceOf` does. */
export function holdAmountOf(
  usage: TokenUsage,
  { price, multiplierPpm }: PricedModel,
): Micropoints {
  // The ledger holds at least one micropoint, even at a price of zero.
  return priceOf(usage, price.price, multiplierPpm) || 1n;
}

/**
 * The charge for reported usage. A report beyond all bounds costs the largest amount there is; the
 * ledger cuts it to the hold.
 */
export function chargeOf(usage: TokenUsage, price: Price, multiplierPpm: number): Micropoints {
  try {
    return priceOf(usage, price, multiplierPpm);
  } catch {
    return MICROPOINTS_MAX;
  }
}
