/** Whether a model's price is whole: customers must not be able to order what has no rate. */
import type { Model } from "../catalog/models";
import type { Reader } from "../db/pool";
import { rateGaps } from "../model-file/rate-gaps";
import { ratesOf } from "../pricing/rate";
import { readPricesFromNow } from "./price-schedule";

export interface PriceGaps {
  /** In words, such as `second resolution=1080p`. */
  readonly gaps: readonly string[];
  /** Null for the price that is in force. */
  readonly from: Date | null;
}

/** Whether a price with rates is in force, and where that one or one to come leaves orders out. */
export async function readPriceNeeds(
  queries: Reader,
  model: Model,
): Promise<{ readonly hasPrice: boolean; readonly missing: PriceGaps | null }> {
  const prices = await readPricesFromNow(queries, model.id);
  const now = Date.now();
  const hasPrice = prices.some(
    ({ price, effectiveAt }) =>
      effectiveAt.getTime() <= now && ratesOf(model.family, price).length > 0,
  );
  for (const { price, effectiveAt } of prices) {
    const gaps = rateGaps(model, ratesOf(model.family, price));
    if (gaps.length > 0)
      return {
        hasPrice,
        missing: { gaps, from: effectiveAt.getTime() > now ? effectiveAt : null },
      };
  }
  return { hasPrice, missing: null };
}
