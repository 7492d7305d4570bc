/**
 * The only pricing function: the price page, the quote, the hold and the charge all use it. Pure;
 * runs in a browser too.
 */

import { TOKENS_MAX } from "../contract/limits";
import { MICROPOINTS_MAX, type Micropoints } from "../points";

/** Micropoints per 1,000,000 tokens. */
export interface Price {
  readonly input: Micropoints;
  readonly output: Micropoints;
}

/** The tokens of a request: whole and not negative. */
export interface TokenUsage {
  readonly inputTokens: number;
  readonly outputTokens: number;
}

/** 1,000,000 is a multiplier of one. */
export const MULTIPLIER_PPM_ONE = 1_000_000;
export const MULTIPLIER_PPM_MAX = 100_000_000;
export const PRICE_MAX: Micropoints = 1_000_000_000_000n;

const scale = 1_000_000n * 1_000_000n;

function assertTokens(name: string, tokens: number): bigint {
  if (!Number.isSafeInteger(tokens) || tokens < 0 || tokens > TOKENS_MAX) {
    throw new RangeError(`${name} is ${tokens}; it must be a whole number from 0 to ${TOKENS_MAX}`);
  }
  return BigInt(tokens);
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

/**
 * The cost of `usage`: Σ(tokens × price) × multiplier, rounded up once, to the micropoint. Throws
 * `RangeError` for any value outside the bounds; never clamps.
 */
export function priceOf(usage: TokenUsage, price: Price, multiplierPpm: number): Micropoints {
  const input =
    assertTokens("inputTokens", usage.inputTokens) * assertPrice("input price", price.input);
  const output =
    assertTokens("outputTokens", usage.outputTokens) * assertPrice("output price", price.output);
  const amount = ((input + output) * assertMultiplier(multiplierPpm) + scale - 1n) / scale;
  if (amount > MICROPOINTS_MAX)
    throw new RangeError(`the amount ${amount} is above ${MICROPOINTS_MAX} micropoints`);
  return amount;
}

/**
 * The most output tokens whose cost, with `inputTokens`, is within `amount`; 0 when not even the
 * input is.
 */
export function outputTokensWithin(
  amount: Micropoints,
  inputTokens: number,
  price: Price,
  multiplierPpm: number,
): number {
  if (price.output === 0n) return TOKENS_MAX;
  const budget =
    (amount * scale) / assertMultiplier(multiplierPpm) -
    assertTokens("inputTokens", inputTokens) * price.input;
  if (budget < 0n) return 0;
  const tokens = budget / price.output;
  return tokens > BigInt(TOKENS_MAX) ? TOKENS_MAX : Number(tokens);
}
