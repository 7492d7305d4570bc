/** The cost of an order's usage: the upper bound to hold before, and the charge after. */
import type { Family } from "../../contract/states";
import { RelayError } from "../../failures/relay-error";
import type { EndResult } from "../../ledger/core/verbs";
import { MICROPOINTS_MAX, type Micropoints } from "../../money/points";
import { dearestUsage, type Price, priceOf, type TokenUsage } from "../../pricing/price";
import { lacksRate } from "../../pricing/price-lines";
import { quantitiesOf } from "../../pricing/usage";
import type { PricedModel } from "./find-model";

/**
 * The amount to hold for at most `usage`, whatever part of it is cached, written to a cache or
 * reasoning. Throws `price_missing` when a unit is priced, but not for what was ordered; and
 * `RangeError` where `priceOf` does.
 */
export function holdAmountOf(
  usage: TokenUsage,
  { model, price: { price }, multiplierPpm }: PricedModel,
): Micropoints {
  if (lacksRate(usage, price)) {
    const internal = `no rate of ${model.id} for ${JSON.stringify(usage.ordered)}`;
    throw new RelayError("price_missing", { internal });
  }
  // The ledger holds at least one micropoint, even at a price of zero.
  return priceOf(dearestUsage(usage, price), price, multiplierPpm) || 1n;
}

/** What a settlement writes down of the usage that it charges. */
export const settledUsage = (family: Family, usage: TokenUsage, reported: object) => ({
  inputTokens: usage.inputTokens,
  outputTokens: usage.outputTokens,
  quantities: quantitiesOf(family, usage),
  reported,
});

/**
 * The charge of a settled order. Throws when its hold was released before: another process took
 * this one for dead while it did not run. The answer must not be completed then, because nothing
 * was charged for it and nothing will be.
 */
export function chargedAmount({ result, outcome, amount }: EndResult): Micropoints {
  if (result === "already" && outcome === "released")
    throw new RelayError("service_busy", {
      message: "This server did not respond for too long. Nothing was charged: send it again.",
      internal: "the hold was released by another process",
    });
  return amount;
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
