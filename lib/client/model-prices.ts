/** Converts the prices of the pages' API into amounts, with the function that computes charges. */
import type { ModelPriceView } from "../contract/prices";
import { formatPoints, parsePoints } from "../money/points";
import { MULTIPLIER_PPM_ONE, type Price, priceOf, type TokenUsage } from "../pricing/price";
import { atTime, dependsOnTime } from "../pricing/price-at";
import { lacksRate } from "../pricing/price-lines";
import { priceOfRates } from "../pricing/rate";
import { ratesOfText } from "../pricing/rate-text";
import { readPoints } from "./points-display";

/** A decimal such as `0.85` as parts per million. */
export function multiplierPpm(text: string): number {
  const ppm = parsePoints(text);
  if (ppm === null) throw new RangeError(`not a multiplier: ${text}`);
  return Number(ppm);
}

/** The list price; null while the model has no price and cannot be sold. */
export const listPrice = ({ rates }: Pick<ModelPriceView, "rates">): Price | null =>
  rates.length === 0 ? null : priceOfRates(ratesOfText(rates));

interface Cost {
  /** At the list price. */
  list: string;
  /** At the account's own prices; at list prices without a session. */
  own: string;
}

/** The usage with the time of now, where the price depends on it and no time was chosen. */
export const usageNow = (usage: TokenUsage, price: Price): TokenUsage =>
  dependsOnTime(price) ? atTime(usage, Date.now()) : usage;

/** The cost of `used` in decimal points, now; null while the model has no price for it. */
export function costOf(view: ModelPriceView, used: TokenUsage): Cost | null {
  const price = listPrice(view);
  if (!price || lacksRate(used, price)) return null;
  const usage = usageNow(used, price);
  const ownPpm = view.own ? multiplierPpm(view.own.multiplier) : MULTIPLIER_PPM_ONE;
  return {
    list: formatPoints(priceOf(usage, price, MULTIPLIER_PPM_ONE)),
    own: formatPoints(priceOf(usage, price, ownPpm)),
  };
}

/**
 * How many requests with this usage a balance covers; null when the model has no price or costs
 * nothing.
 */
export function requestsWithin(
  available: string,
  view: ModelPriceView,
  usage: TokenUsage,
): number | null {
  const cost = costOf(view, usage);
  if (!cost) return null;
  const each = readPoints(cost.own);
  const balance = readPoints(available);
  if (each === 0n) return null;
  return balance <= 0n ? 0 : Number(balance / each);
}
