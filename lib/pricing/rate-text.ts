/** Rates with their amounts as decimal points, as requests and answers have them. */
import type { Family } from "../contract/states";
import { formatPoints, type Micropoints } from "../money/points";
import { requestedPoints } from "../money/requested-points";
import { priceOf, type TokenUsage } from "./price";
import { linesOf } from "./price-lines";
import { type Price, type Rate, ratesOf } from "./rate";

type RateText = Omit<Rate, "amount"> & { readonly points: string };

/** A rate at a multiplier, rounded like a charge. */
export const multipliedRate = (amount: Micropoints, multiplierPpm: number): Micropoints =>
  priceOf(
    { inputTokens: 1_000_000, outputTokens: 0 },
    { input: amount, output: 0n },
    multiplierPpm,
  );

const rateText = <Shown extends Rate>({ amount, ...rate }: Shown) => ({
  ...rate,
  points: formatPoints(amount),
});

export const ratesText = (family: Family, price: Price) => ratesOf(family, price).map(rateText);

/** The rates of an account with a multiplier. */
export const ownRatesText = (family: Family, price: Price, multiplierPpm: number) =>
  ratesOf(family, price).map((rate) =>
    rateText({ ...rate, amount: multipliedRate(rate.amount, multiplierPpm) }),
  );

/** The lines of a bill. */
export const linesText = (family: Family, usage: TokenUsage, price: Price) =>
  linesOf(family, usage, price).map(rateText);

/** Throws `invalid_value`, naming the rate, when its points are none. */
export const ratesOfText = (rates: readonly RateText[]): Rate[] =>
  rates.map(({ points, ...rate }, at) => ({
    ...rate,
    amount: requestedPoints(`rates[${at}].points`, points),
  }));
