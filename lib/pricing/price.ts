/**
 * The only pricing function: the price page, the quote, the hold, the charge and the receipt all
 * use it. Pure; runs in a browser too.
 */

import { TOKENS_MAX } from "../contract/limits";
import { isPerOne, type Unit } from "../contract/units";
import { MICROPOINTS_MAX, type Micropoints } from "../money/points";
import { isFor, type Price, type Rate } from "./rate";
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

/**
 * `usage` at the rates of `price`. A part of the input or output that has a rate of its own is not
 * counted in its whole; a part without one stays in it. So nothing is counted twice.
 */
export function termsOf(usage: TokenUsage, { input, output, others }: Price): Term[] {
  let { inputTokens, outputTokens } = usage;
  assertCount("inputTokens", inputTokens);
  assertCount("outputTokens", outputTokens);
  const terms: Term[] = [];
  for (const rate of others ?? []) {
    const quantity = isFor(rate, usage.ordered) ? quantityOf(usage, rate.unit) : 0;
    if (quantity === 0) continue;
    if (rate.unit === "cached_input_token" || rate.unit === "cache_write_token")
      inputTokens -= quantity;
    else if (rate.unit === "reasoning_token" || rate.unit === "video_token")
      outputTokens -= quantity;
    terms.push({ ...rate, quantity });
  }
  terms.push({ unit: "input_token", amount: input, quantity: inputTokens });
  terms.push({ unit: "output_token", amount: output, quantity: outputTokens });
  return terms;
}

/** Σ(quantity × rate), in micropoints per 1,000,000. */
function exactCost(usage: TokenUsage, price: Price): bigint {
  let sum = 0n;
  for (const { unit, quantity, amount } of termsOf(usage, price)) {
    const cost = assertCount(unit, quantity) * assertPrice(unit, amount);
    sum += isPerOne(unit) ? cost * perMillion : cost;
  }
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

/** The price of a part: its own rate, or that of its whole. */
const rateOfPart = ({ others }: Price, unit: Unit, whole: Micropoints): Micropoints =>
  others?.find((rate) => rate.unit === unit)?.amount ?? whole;

/**
 * The dearest way in which these tokens can be reported: all of the input and all of the output
 * under the dearest of their units. For an upper bound.
 */
export function dearestUsage(usage: TokenUsage, price: Price): TokenUsage {
  if (price.others === undefined) return usage;
  const cached = rateOfPart(price, "cached_input_token", price.input);
  const written = rateOfPart(price, "cache_write_token", price.input);
  const isCached = cached > price.input && cached >= written;
  const isWritten = !isCached && written > price.input;
  const isReasoning = rateOfPart(price, "reasoning_token", price.output) > price.output;
  return {
    ...usage,
    cachedInputTokens: isCached ? usage.inputTokens : 0,
    cacheWriteTokens: isWritten ? usage.inputTokens : 0,
    reasoningTokens: isReasoning ? usage.outputTokens : 0,
  };
}

/**
 * The most output tokens whose cost, with `inputTokens`, is within `amount`, however both are
 * counted; 0 when not even the input is.
 */
export function outputTokensWithin(
  amount: Micropoints,
  inputTokens: number,
  price: Price,
  multiplierPpm: number,
): number {
  const reasoning = rateOfPart(price, "reasoning_token", price.output);
  let each = price.output;
  if (reasoning > each) each = reasoning;
  if (each === 0n) return TOKENS_MAX;
  const fixed = exactCost(dearestUsage({ inputTokens, outputTokens: 0 }, price), price);
  const budget = (amount * scale) / assertMultiplier(multiplierPpm) - fixed;
  if (budget < 0n) return 0;
  const tokens = budget / each;
  return tokens > BigInt(TOKENS_MAX) ? TOKENS_MAX : Number(tokens);
}
