/** Of a price that depends on the length of the input or on the time of day, the rates that count for a request. */
import { orderSelectors } from "../contract/units";
import { inUnitOrder, isOfPart, type Ordered, type Price, type Rate, sameFor } from "./rate";
import type { TokenUsage } from "./usage";

/** Whether a time of day, as `HH:MM`, is within hours: from the first on, until before the second. */
export function isWithin(hours: string, time: string): boolean {
  const [from, to] = [hours.slice(0, 5), hours.slice(6)];
  return from < to ? time >= from && time < to : time >= from || time < to;
}

/** The time of day of a moment in milliseconds, in UTC. */
export const timeOfDay = (moment: number): string => new Date(moment).toISOString().slice(11, 16);

export const dependsOnTime = ({ others = [] }: Price): boolean =>
  others.some(({ hours }) => hours !== undefined);

/** A usage with the time of its order, as it was written down or else that of a moment in milliseconds. */
export function atTime(usage: TokenUsage, moment: number): TokenUsage {
  const { ordered } = usage;
  return { ...usage, ordered: { ...ordered, time: ordered?.time ?? timeOfDay(moment) } };
}

/** The values of `input_from` in ascending order, each once. */
const startsOf = (others: readonly Rate[]): number[] =>
  [...new Set(others.flatMap(({ input_from: from }) => from ?? []))].sort(
    (one, other) => one - other,
  );

/** A price as it is for requests that differ in their length and time only. */
interface Kept {
  readonly starts: readonly number[];
  /** The times at which hours begin or end, in ascending order. */
  readonly turns: readonly string[];
  /** By the place among the starts and the turns: so many at most. */
  readonly prices: Map<number, Price>;
}

const kept = new WeakMap<Price, Kept>();

const turnsOf = (others: readonly Rate[]): string[] =>
  [...new Set(others.flatMap(({ hours }) => hours?.split("-") ?? []))].sort();

function keptOf(price: Price, others: readonly Rate[]): Kept {
  let known = kept.get(price);
  if (known === undefined) {
    known = { starts: startsOf(others), turns: turnsOf(others), prices: new Map() };
    kept.set(price, known);
  }
  return known;
}

const selectedBy = (rate: Rate) => orderSelectors.filter((name) => rate[name] !== undefined).length;

/** A rate of hours counts before one of all day; of two alike, that of the longer input. */
const isBetter = (rate: Rate, than: Rate) =>
  (rate.hours === undefined) === (than.hours === undefined)
    ? (rate.input_from ?? 0) > (than.input_from ?? 0)
    : rate.hours !== undefined;

function fitting(price: Price, inputTokens: number, time: string | undefined): Price {
  const best = new Map<string, Rate>();
  for (const rate of price.others ?? []) {
    if ((rate.input_from ?? 0) > inputTokens) continue;
    if (rate.hours !== undefined && (time === undefined || !isWithin(rate.hours, time))) continue;
    const before = best.get(sameFor(rate));
    if (before === undefined || isBetter(rate, before)) best.set(sameFor(rate), rate);
  }
  // What is for one tier counts before what is for all.
  const others = [...best.values()].sort(
    (one, other) => inUnitOrder(one, other) || selectedBy(other) - selectedBy(one),
  );
  return { input: price.input, output: price.output, ...(others.length > 0 && { others }) };
}

function isVaried(others: readonly Rate[]): boolean {
  for (const rate of others) if (isOfPart(rate)) return true;
  return false;
}

/** How many of an ascending list are not above a value. */
function placeIn<Value extends number | string>(list: readonly Value[], value: Value): number {
  let place = 0;
  for (const each of list) if (each <= value) place++;
  return place;
}

/** All input, whatever it is counted as, and what was ordered. */
interface Request extends Pick<TokenUsage, "inputTokens"> {
  readonly ordered?: Ordered | undefined;
}

/** The price with the rates that fit the request best: the same one where none depends on length or time. */
export function priceAt(price: Price, { inputTokens, ordered }: Request): Price {
  const { others } = price;
  if (others === undefined || !isVaried(others)) return price;
  const { starts, turns, prices } = keptOf(price, others);
  const time = ordered?.time;
  const part = time === undefined ? 0 : 1 + placeIn(turns, time);
  const place = part * (starts.length + 1) + placeIn(starts, inputTokens);
  let found = prices.get(place);
  if (found === undefined) {
    found = fitting(price, inputTokens, time);
    prices.set(place, found);
  }
  return found;
}

/**
 * The most input tokens of each length at which other rates begin, as far as a bound reaches; the bound
 * comes first. Within one of them, more tokens cost more.
 */
export function lengthsWithin(price: Price, inputTokensMax: number): number[] {
  const { others } = price;
  if (others === undefined || !isVaried(others)) return [inputTokensMax];
  const { starts } = keptOf(price, others);
  const reached = starts.filter((from) => from <= inputTokensMax);
  return [inputTokensMax, ...reached.map((from) => from - 1)];
}

/** A length and a time of each kind that a price tells apart. */
export const requestsOf = ({ others = [] }: Price) =>
  [0, ...startsOf(others)].flatMap((inputTokens) =>
    [undefined, ...turnsOf(others)].map((time) => ({ inputTokens, time })),
  );
