/** A price as a list of rates, one for each unit that is counted. */
import type { Family } from "../contract/states";
import { isMainRate, orderSelectors, outputUnitOf, type Unit, units } from "../contract/units";
import type { Micropoints } from "../money/points";

/** What was ordered, by which rates are selected. */
export interface Ordered {
  readonly size?: string | undefined;
  readonly quality?: string | undefined;
  readonly resolution?: string | undefined;
  readonly audio?: boolean | undefined;
  readonly input_video?: boolean | undefined;
  readonly tier?: string | undefined;
  /** The time of day in UTC at which it was ordered, as `HH:MM`; absent where no rate depends on it. */
  readonly time?: string | undefined;
}

/** What a rate is for; an absent one is for all. */
export interface Selectors extends Omit<Ordered, "time"> {
  /** The least input tokens of a request, of which it is then the rate of all. */
  readonly input_from?: number | undefined;
  /** Times of day in UTC, such as `16:30-00:30`. */
  readonly hours?: string | undefined;
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

/** Of one unit, those for longer input come later. */
const inRateOrder = (one: Rate, other: Rate): number =>
  inUnitOrder(one, other) || (one.input_from ?? 0) - (other.input_from ?? 0);

const nothing: Ordered = {};

/**
 * Whether a rate is for what was ordered, apart from the length of the input and the time: see
 * `priceAt`. Asked several times in each request: a loop costs twenty times as much.
 */
export const isFor = (rate: Selectors, ordered: Ordered = nothing): boolean =>
  (rate.tier === undefined || rate.tier === ordered.tier) &&
  (rate.size === undefined || rate.size === ordered.size) &&
  (rate.quality === undefined || rate.quality === ordered.quality) &&
  (rate.resolution === undefined || rate.resolution === ordered.resolution) &&
  (rate.audio === undefined || rate.audio === ordered.audio) &&
  (rate.input_video === undefined || rate.input_video === ordered.input_video);

/** The rate of a unit at what was ordered. */
export function ownRate(
  unit: Unit,
  { others }: Price,
  ordered: Ordered | undefined,
): Rate | undefined {
  if (others === undefined) return undefined;
  for (const rate of others) if (rate.unit === unit && isFor(rate, ordered)) return rate;
  return undefined;
}

/** The rate of all input, or of all output, at what was ordered: the plain one where it has none of its own. */
export const wholeRate = (
  unit: "input_token" | "output_token",
  price: Price,
  ordered: Ordered | undefined,
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
    ...(others.length > 0 && { others: others.toSorted(inRateOrder) }),
  };
}

/** Whether a rate is for a part of all lengths or of the day. */
export const isOfPart = ({ input_from: from, hours }: Selectors) =>
  from !== undefined || hours !== undefined;

/**
 * The rates of a price, in the order of the units. A price without other rates has the rates of its
 * family's tokens, whatever they cost; with others, those that cost something or are the rest of one
 * by length or hours.
 */
export function ratesOf(family: Family, { input, output, others = [] }: Price): Rate[] {
  const isListed = ({ unit, amount }: Rate) =>
    others.length === 0 ||
    amount > 0n ||
    others.some((rate) => rate.unit === unit && isOfPart(rate));
  const main: Rate[] = [{ unit: outputUnitOf[family], amount: output }];
  if (family === "text") main.push({ unit: "input_token", amount: input });
  return [...main.filter(isListed), ...others].sort(inRateOrder);
}

/** What a rate is for, whatever the length and the time. */
export const sameFor = (rate: Selectors & Pick<Rate, "unit">): string =>
  [rate.unit, ...orderSelectors.map((name) => rate[name])].join(" ");

/** What all input or all output costs at any length and time, at the default tier: the rest comes first. */
export function wholeAmounts(
  family: Family,
  price: Price,
  part: "input" | "output",
): readonly Micropoints[] {
  const wanted = part === "input" ? "input_token" : outputUnitOf[family];
  const ofParts = (price.others ?? []).filter(
    (rate) => isOfPart(rate) && sameFor(rate) === sameFor({ unit: wanted }),
  );
  return [price[part], ...ofParts.map(({ amount }) => amount)];
}
