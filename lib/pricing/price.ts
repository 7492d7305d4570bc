/**
 * The only pricing function: the price page, the quote, the hold, the charge and the receipt all
 * use it. Pure; runs in a browser too.
 */

import { TOKENS_MAX } from "../contract/limits";
import { inputParts, isPerOne, type Unit } from "../contract/units";
import { MICROPOINTS_MAX, type Micropoints } from "../money/points";
import { priceAt } from "./price-at";
import { isFor, ownRate, type Price, type Rate, wholeRate } from "./rate";
import { quantityOf, type TokenUsage } from "./usage";

export type { Price } from "./rate";
export type { TokenUsage } from "./usage";

/** 1,000,000 is a multiplier of one. */
export const MULTIPLIER_PPM_ONE = 1_000_000;
export const MULTIPLIER_PPM_MAX = 100_000_000;
export const PRICE_MAX: Micropoints = 1_000_000_000_000n;

const perMillion = 1_000_000n;
const scale = perMillion * perMillion;

function assertCount(name: string, count: number): bigint {
  if (!Number.isSafeInteger(count) || count < 0 || count > TOKENS_MAX) {
    throw new RangeError(`${name} is ${count}; it must be a whole number from 0 to ${TOKENS_MAX}`);
  }
  return BigInt(count);
}

function assertMultiplier(multiplierPpm: number): bigint {
  if (
    !Number.isSafeInteger(multiplierPpm) ||
    multiplierPpm < 1 ||
    multiplierPpm > MULTIPLIER_PPM_MAX
  ) {
    throw new RangeError(
      `multiplier is ${multiplierPpm} ppm; it must be a whole number from 1 to ${MULTIPLIER_PPM_MAX}`,
    );
  }
  return BigInt(multiplierPpm);
}

function assertPrice(name: string, price: Micropoints): Micropoints {
  if (price < 0n || price > PRICE_MAX)
    throw new RangeError(`${name} is ${price}; it must be from 0 to ${PRICE_MAX} micropoints`);
  return price;
}

/** One line of a bill: a quantity and its rate. For images and videos too, the unit of their tokens is `output_token` here. */
export interface Term extends Rate {
  readonly quantity: number;
}

const outputParts: readonly Unit[] = [
  "reasoning_token",
  "audio_token",
  "image_token",
  "video_token",
];

/**
 * Counts `usage` at the rates of `price`. A part of the input or output that has a rate of its own is
 * not counted in its whole; a part without one stays in it. So nothing is counted twice.
 */
function countEach(
  usage: TokenUsage,
  listed: Price,
  count: (rate: Rate, quantity: number) => void,
): void {
  const price = priceAt(listed, usage);
  let { inputTokens, outputTokens } = usage;
  assertCount("inputTokens", inputTokens);
  assertCount("outputTokens", outputTokens);
  for (const rate of price.others ?? []) {
    const quantity = isFor(rate, usage.ordered) ? quantityOf(usage, rate.unit) : 0;
    if (quantity === 0) continue;
    if (inputParts.includes(rate.unit)) inputTokens -= quantity;
    else if (outputParts.includes(rate.unit)) outputTokens -= quantity;
    count(rate, quantity);
  }
  count(wholeRate("input_token", price, usage.ordered), inputTokens);
  count(wholeRate("output_token", price, usage.ordered), outputTokens);
}

/** `usage` at the rates of `price`: see `countEach`. */
export function termsOf(usage: TokenUsage, price: Price): Term[] {
  const terms: Term[] = [];
  countEach(usage, price, (rate, quantity) => terms.push({ ...rate, quantity }));
  return terms;
}

/** Σ(quantity × rate), in micropoints per 1,000,000. */
function exactCost(usage: TokenUsage, price: Price): bigint {
  let sum = 0n;
  countEach(usage, price, ({ unit, amount }, quantity) => {
    const cost = assertCount(unit, quantity) * assertPrice(unit, amount);
    sum += isPerOne(unit) ? cost * perMillion : cost;
  });
  return sum;
}

/**
 * The cost of `usage`: Σ(quantity × rate) × multiplier, rounded up once, to the micropoint. Throws
 * `RangeError` for any value outside the bounds; never clamps.
 */
export function priceOf(usage: TokenUsage, price: Price, multiplierPpm: number): Micropoints {
  const amount = (exactCost(usage, price) * assertMultiplier(multiplierPpm) + scale - 1n) / scale;
  if (amount > MICROPOINTS_MAX)
    throw new RangeError(`the amount ${amount} is above ${MICROPOINTS_MAX} micropoints`);
  return amount;
}

/** What a usage is bounded by, besides the tokens that are generated; all at the rates of its own input tokens. */
export type Bound = Omit<TokenUsage, "outputTokens">;

/** The part of the output that costs most at what was ordered; undefined for the whole. */
function dearestOutput({ ordered, audioTokens }: Bound, price: Price): Rate | undefined {
  const whole = wholeRate("output_token", price, ordered).amount;
  const reasoned = ownRate("reasoning_token", price, ordered);
  const dearest = reasoned && reasoned.amount > whole ? reasoned : undefined;
  const spoken = audioTokens === undefined ? undefined : ownRate("audio_token", price, ordered);
  return spoken && spoken.amount > (dearest?.amount ?? whole) ? spoken : dearest;
}

/**
 * The dearest way in which these tokens can be reported: all of the input and all of the output
 * under the dearest of their units; of sound, as much of the input as may be. For an upper bound.
 */
export function dearestUsage(usage: TokenUsage, listed: Price): TokenUsage {
  if (listed.others === undefined) return usage;
  const price = priceAt(listed, usage);
  const { ordered, inputTokens, outputTokens } = usage;
  const { amount: input } = wholeRate("input_token", price, ordered);
  const cached = ownRate("cached_input_token", price, ordered)?.amount ?? input;
  const written = ownRate("cache_write_token", price, ordered)?.amount ?? input;
  const isCached = cached > input && cached >= written;
  const isWritten = !isCached && written > input;
  const heard = ownRate("input_audio_token", price, ordered)?.amount ?? 0n;
  const isHeard = heard > input && heard > cached && heard > written;
  const inputAudioTokens = isHeard ? Math.min(usage.inputAudioTokens ?? 0, inputTokens) : 0;
  const other = inputTokens - inputAudioTokens;
  const dearest = dearestOutput(usage, price)?.unit;
  // Not `{ ...usage, … }`: each member that is added to a bare copy costs a microsecond.
  return Object.assign({ inputTokens }, usage, {
    inputAudioTokens,
    cachedInputTokens: isCached ? other : 0,
    cacheWriteTokens: isWritten ? other : 0,
    reasoningTokens: dearest === "reasoning_token" ? outputTokens : 0,
    audioTokens: dearest === "audio_token" ? outputTokens : 0,
  });
}

/**
 * The most output tokens whose cost, with `bound`, is within `amount`, however all is counted; 0 when
 * not even the rest is.
 */
export function outputTokensWithin(
  amount: Micropoints,
  bound: Bound,
  listed: Price,
  multiplierPpm: number,
): number {
  const price = priceAt(listed, bound);
  const { amount: each } =
    dearestOutput(bound, price) ?? wholeRate("output_token", price, bound.ordered);
  const fixed = exactCost(dearestUsage({ outputTokens: 0, ...bound }, listed), listed);
  const budget = (amount * scale) / assertMultiplier(multiplierPpm) - fixed;
  if (budget < 0n) return 0;
  if (each === 0n) return TOKENS_MAX;
  const tokens = budget / each;
  return tokens > BigInt(TOKENS_MAX) ? TOKENS_MAX : Number(tokens);
}
