/** A price as a list of rates, one for each unit that is counted. */
import type { Family } from "../contract/states";
import { isMainRate, outputUnitOf, selectors, type Unit, units } from "../contract/units";
import type { Micropoints } from "../money/points";

/** What a rate is for; an absent one is for all. */
export interface Selectors {
  readonly size?: string | undefined;
  readonly quality?: string | undefined;
  readonly resolution?: string | undefined;
  readonly audio?: boolean | undefined;
  readonly input_video?: boolean | undefined;
  readonly tier?: string | undefined;
}

export interface Rate extends Selectors {
  readonly unit: Unit;
  /** Per 1,000,000 of a token unit, per one of the others. */
  readonly amount: Micropoints;
}

/** A list of rates: see `ratesOf` and `priceOfRates`. */
export interface Price {
  /** Micropoints per 1,000,000 input tokens; 0 when input is not counted. */
  readonly input: Micropoints;
  /** Micropoints per 1,000,000 tokens of what is generated: text, or the pixels of its results. */
  readonly output: Micropoints;
  /** The rates of other units, and of tokens that depend on what was ordered; absent for none. */
  readonly others?: readonly Rate[];
}

const placeOf = (unit: Unit): number => units.indexOf(unit);

export const inUnitOrder = (one: { unit: Unit }, other: { unit: Unit }): number =>
  placeOf(one.unit) - placeOf(other.unit);

/** Whether a rate is for what was ordered. */
export const isFor = (rate: Selectors, ordered: Selectors = {}): boolean =>
  selectors.every((name) => rate[name] === undefined || rate[name] === ordered[name]);

/** The rate of a unit at what was ordered. */
export const ownRate = (
  unit: Unit,
  { others }: Price,
  ordered: Selectors | undefined,
): Rate | undefined => others?.find((rate) => rate.unit === unit && isFor(rate, ordered));

/** The rate of all input, or of all output, at what was ordered: the plain one where it has none of its own. */
export const wholeRate = (
  unit: "input_token" | "output_token",
  price: Price,
  ordered: Selectors | undefined,
): Rate =>
  ownRate(unit, price, ordered) ?? {
    unit,
    amount: unit === "input_token" ? price.input : price.output,
  };

/** The price that a list of rates is. A unit without a rate is not counted. */
export function priceOfRates(rates: readonly Rate[]): Price {
  const amountOf = (...wanted: Unit[]) =>
    rates.find((rate) => isMainRate(rate) && wanted.includes(rate.unit))?.amount ?? 0n;
  const others = rates.filter((rate) => !isMainRate(rate));
  return {
    input: amountOf("input_token"),
    output: amountOf(...Object.values(outputUnitOf)),
    ...(others.length > 0 && { others: others.toSorted(inUnitOrder) }),
  };
}

/**
 * The rates of a price, in the order of the units. A price without other rates has the rates of its
 * family's tokens, whatever they cost; with others, only those that cost something.
 */
export function ratesOf(family: Family, { input, output, others = [] }: Price): Rate[] {
  const isListed = (amount: Micropoints) => others.length === 0 || amount > 0n;
  const main: Rate[] = [];
  if (family === "text" && isListed(input)) main.push({ unit: "input_token", amount: input });
  if (isListed(output)) main.push({ unit: outputUnitOf[family], amount: output });
  return [...main, ...others].sort(inUnitOrder);
}
