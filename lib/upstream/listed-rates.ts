/** What the readers of price lists have in common. */
import { TOKENS_MAX } from "../contract/limits";
import type { StoredRate } from "../contract/rates";
import { isShownText } from "../contract/shown-rule";
import { RATES_MAX, selectorsOfUnit, type Unit } from "../contract/units";
import { isRecord } from "../values/records";
import type { JsonObject } from "./provider";

export type ListedRates = ReadonlyMap<string, readonly StoredRate[]>;

const RATE_MAX = 1e15;
export const MILLION = 1e6;

/** A price, as a number or its decimal text; null for anything else. */
export function priceOf(value: unknown): number | null {
  const price = typeof value === "string" && value.trim() !== "" ? Number(value) : value;
  return typeof price === "number" && price >= 0 && price * MILLION * MILLION <= RATE_MAX
    ? price
    : null;
}

/** Units of the currency for one of the unit, and how many of them a rate is for. */
export type Asked = readonly [Unit, unknown, number];

export function ratesOf(each: readonly Asked[]): StoredRate[] {
  return each.flatMap(([unit, value, count]) => {
    const price = priceOf(value);
    return price === null ? [] : [{ unit, amount: Math.round(price * count * MILLION) }];
  });
}

/** The rates for requests with at least so many input tokens. */
export const longRates = (input_from: number, each: readonly Asked[]): StoredRate[] =>
  Number.isSafeInteger(input_from) && input_from >= 1 && input_from <= TOKENS_MAX
    ? ratesOf(each)
        .filter(({ unit }) => selectorsOfUnit(unit).includes("input_from"))
        .map((rate) => ({ ...rate, input_from }))
    : [];

/** Rates of long requests stand beside those of the rest; of several for one length, the first counts. */
export function withLong(rates: readonly StoredRate[], long: readonly StoredRate[]): StoredRate[] {
  const known = new Map(rates.map((rate) => [`${rate.unit} 0`, rate]));
  for (const rate of long) {
    const key = `${rate.unit} ${rate.input_from}`;
    if (known.has(`${rate.unit} 0`) && !known.has(key)) known.set(key, rate);
  }
  return [...known.values()].slice(0, RATES_MAX);
}

export const listOf = ({ data }: JsonObject): readonly JsonObject[] =>
  Array.isArray(data) ? data.filter(isRecord) : [];

export function mapOf(
  entries: readonly (readonly [unknown, readonly StoredRate[]])[],
): ListedRates {
  const named = new Map<string, readonly StoredRate[]>();
  for (const [name, rates] of entries)
    if (typeof name === "string" && isShownText(name) && rates.length > 0) named.set(name, rates);
  return named;
}
