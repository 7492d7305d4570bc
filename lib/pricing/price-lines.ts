/** A bill by unit, as the quote, the receipt and the calculator show it. */
import type { Family } from "../contract/states";
import { inputParts, isPerOne, outputUnitOf, type Unit } from "../contract/units";
import type { Micropoints } from "../money/points";
import { type Term, termsOf } from "./price";
import { priceAt, requestsOf } from "./price-at";
import {
  inUnitOrder,
  isFor,
  type Ordered,
  ownRate,
  type Price,
  type Rate,
  wholeRate,
} from "./rate";
import { quantityOf, type TokenUsage } from "./usage";

/**
 * Each counted unit with its quantity and rate, in the order of the units. The sum of the lines,
 * times the multiplier and rounded up once, is `priceOf(usage, price, …)`.
 */
export function linesOf(family: Family, usage: TokenUsage, price: Price): Term[] {
  const terms = termsOf(usage, price).map((term) =>
    term.unit === "output_token" ? { ...term, unit: outputUnitOf[family] } : term,
  );
  const counted = terms.filter(({ quantity, amount }) => quantity > 0 && amount > 0n);
  // A bill of nothing still shows the unit that it is for.
  const main = terms.filter(({ unit }) => unit === outputUnitOf[family]);
  return (counted.length > 0 ? counted : main.slice(0, 1)).sort(inUnitOrder);
}

/** True when the price counts a unit of `usage`, but has no rate for what was ordered. */
export function lacksRate(usage: TokenUsage, { others = [] }: Price): boolean {
  return others.some(
    ({ unit }) =>
      quantityOf(usage, unit) > 0 &&
      !others.some((rate) => rate.unit === unit && isFor(rate, usage.ordered)),
  );
}

/**
 * The amount at which a unit is counted: a part without a rate of its own costs what its whole does.
 * `price`: as it is for the request, see `priceAt`.
 */
export function rateFor(unit: Unit, price: Price, ordered: Ordered = {}): Micropoints {
  const own = ownRate(unit, price, ordered);
  if (own) return own.amount;
  if (isPerOne(unit)) return 0n;
  const isInput = unit === "input_token" || inputParts.includes(unit);
  const whole = isInput ? "input_token" : "output_token";
  return wholeRate(whole, price, ordered).amount;
}

/**
 * The most that an upstream asks for what a rate of our price is for: of all lengths and times at which
 * that rate counts.
 */
export function dearestCost(
  { amount, unit, ...rate }: Rate,
  own: Price,
  upstream: Price,
): Micropoints {
  const told = [...requestsOf(own), ...requestsOf(upstream)];
  const times = new Set(told.map(({ time }) => time));
  let most = 0n;
  for (const inputTokens of new Set(told.map((request) => request.inputTokens)))
    for (const time of times) {
      const ordered = { ...rate, time };
      const amountIn = (price: Price) =>
        rateFor(unit, priceAt(price, { inputTokens, ordered }), ordered);
      if (amountIn(own) !== amount) continue;
      const cost = amountIn(upstream);
      if (cost > most) most = cost;
    }
  return most;
}
