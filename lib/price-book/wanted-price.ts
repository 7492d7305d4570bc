/** Checks a price that someone wants to set, and completes it from the current one. */
import type { Model } from "../catalog/models";
import { outputUnitOf, RATES_MAX, type Unit } from "../contract/units";
import { invalidValue, RelayError } from "../failures/relay-error";
import type { Micropoints } from "../money/points";
import { PRICE_MAX, type Price } from "../pricing/price";
import { priceAt, requestsOf } from "../pricing/price-at";
import { ownRate, priceOfRates, type Rate, ratesOf, wholeRate } from "../pricing/rate";
import { assertAmount, assertRates } from "./rate-list";

/** A price to set, for any name of a catalogue model. */
export type WantedPrice = { readonly model: string } & (
  | {
      /** Without one, and for the other rates, the current ones stay. */
      readonly input?: Micropoints | undefined;
      readonly output: Micropoints;
      readonly rates?: undefined;
    }
  /** The whole list: a unit that is not in it is not counted. */
  | { readonly rates: readonly Rate[]; readonly input?: undefined; readonly output?: undefined }
);

/** The first rate of what is read from a cache that exceeds the input of which it is a part, at some tier, length or time. */
function dearCached(rates: readonly Rate[]): Rate | undefined {
  const price = priceOfRates(rates);
  const tiers = new Set(rates.map(({ tier }) => tier).concat(undefined));
  const dear = requestsOf(price).flatMap(({ inputTokens, time }) => {
    const at = priceAt(price, { inputTokens, ordered: { time } });
    return [...tiers].flatMap((tier) => {
      const cached = ownRate("cached_input_token", at, { tier });
      const isDear =
        cached !== undefined && cached.amount > wholeRate("input_token", at, { tier }).amount;
      return isDear ? [cached] : [];
    });
  });
  return rates.find((rate) => dear.includes(rate));
}

function assertCachedIsCheap(rates: readonly Rate[]): void {
  const dear = dearCached(rates);
  if (dear !== undefined)
    throw invalidValue(
      `rates[${rates.indexOf(dear)}]`,
      "The rate for cached_input_token must not exceed the one for input_token.",
    );
}

/** A rate for a quality that nobody can order would only hide that another one lacks its rate. */
function assertDeclared(model: Model, rates: readonly Rate[]): void {
  if (model.family !== "image") return;
  for (const [at, { quality }] of rates.entries()) {
    if (quality === undefined || model.qualities.includes(quality)) continue;
    const allowed =
      model.qualities.length === 0
        ? "has no qualities: name them in its spec first"
        : `has the qualities ${model.qualities.join(", ")}`;
    throw invalidValue(
      `rates[${at}]`,
      `\`rates[${at}]\` is for the quality ${quality}: ${model.id} ${allowed}.`,
    );
  }
}

function listedPrice(model: Model, rates: readonly Rate[]): Price {
  if (rates.length === 0)
    throw invalidValue("rates", `\`rates\` has no rates: send 1 to ${RATES_MAX}.`);
  assertRates(model, rates, PRICE_MAX);
  assertCachedIsCheap(rates);
  assertDeclared(model, rates);
  return priceOfRates(rates);
}

function tokenPrice(
  model: Model,
  { input, output }: { input?: Micropoints | undefined; output: Micropoints },
  present: Price | null,
): Price {
  const price = { ...present, input: input ?? present?.input ?? 0n, output };
  assertAmount("input", price.input, PRICE_MAX);
  assertAmount("output", price.output, PRICE_MAX);
  if (price.input !== 0n && model.family !== "text") {
    throw new RelayError("unsupported_value", {
      param: "input",
      message: `${model.id} does not charge for input, so it must have no input price.`,
    });
  }
  const isListed = (unit: Unit) => price.others?.some((rate) => rate.unit === unit) === true;
  const isInputListed = input !== undefined && isListed("input_token");
  if (isInputListed || isListed(outputUnitOf[model.family]))
    throw invalidValue(
      isInputListed ? "input" : "output",
      `The price of ${model.id} depends on what is ordered: set the whole list of rates.`,
    );
  if (dearCached(ratesOf(model.family, price)) !== undefined)
    throw invalidValue(
      "input",
      "The input price must not be less than the rate for cached_input_token: set the whole list of rates.",
    );
  return price;
}

/** The price that is wanted. Throws what is wrong with it. */
export const cleanPrice = (model: Model, wanted: WantedPrice, present: Price | null): Price =>
  wanted.rates === undefined
    ? tokenPrice(model, wanted, present)
    : listedPrice(model, wanted.rates);
