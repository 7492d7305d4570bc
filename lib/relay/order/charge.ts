/** What an order's usage comes to: the bound that is held before, and the charge after. */
import { MICROPOINTS_MAX, type Micropoints } from "../../points";
import { type Price, priceOf, type TokenUsage } from "../../pricing/price";
import type { PricedModel } from "./find-model";

/** The amount to hold for `usage`. Throws `RangeError` where `priceOf` does. */
export function holdAmountOf(usage: TokenUsage, { price, multiplierPpm }: PricedModel): Micropoints {
  // The ledger holds nothing smaller than one micropoint, even where the price is zero.
  return priceOf(usage, price.price, multiplierPpm) || 1n;
}

/** The charge for reported usage. A report beyond every bound costs the most there is, and the ledger cuts it to the hold. */
export function chargeOf(usage: TokenUsage, price: Price, multiplierPpm: number): Micropoints {
  try {
    return priceOf(usage, price, multiplierPpm);
  } catch {
    return MICROPOINTS_MAX;
  }
}
