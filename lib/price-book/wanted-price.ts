/** Checks a price that someone wants to set, and completes it from the current one. */
import { findModel, type Model } from "../catalog/models";
import {
  RATES_MAX,
  SELECTOR_LENGTH_MAX,
  selectors,
  selectorsOfUnit,
  unitsOfFamily,
} from "../contract/units";
import { RelayError } from "../errors";
import type { Micropoints } from "../points";
import { PRICE_MAX, type Price } from "../pricing/price";
import { priceOfRates, type Rate } from "../pricing/rate";

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

const refused = (param: string, message: string) =>
  new RelayError("invalid_value", { param, message });

function assertAmount(param: string, amount: Micropoints): void {
  if (amount >= 0n && amount <= PRICE_MAX) return;
  throw refused(param, `The ${param} price must be from 0 to ${PRICE_MAX / 1_000_000n} points.`);
}

const selectorForm = new RegExp(`^[0-9A-Za-z._:-]{1,${SELECTOR_LENGTH_MAX}}$`);

function assertRate(model: Model, rate: Rate, param: string): void {
  const counted: readonly string[] = unitsOfFamily[model.family];
  if (!counted.includes(rate.unit)) {
    const message = `\`${param}\` is for ${rate.unit}: ${model.id} is counted in ${counted.join(", ")}.`;
    throw new RelayError("unsupported_value", { param, message });
  }
  assertAmount(param, rate.amount);
  const allowed = selectorsOfUnit(rate.unit);
  for (const name of selectors) {
    const value = rate[name];
    if (value === undefined) continue;
    if (!allowed.includes(name))
      throw refused(param, `\`${param}\` has ${name}: rates for ${rate.unit} do not depend on it.`);
    if (typeof value === "string" && !selectorForm.test(value))
      throw refused(
        param,
        `\`${param}\` has a ${name} with other characters than letters, digits and . _ : -.`,
      );
  }
}

const selectedBy = (rate: Rate) => selectors.filter((name) => rate[name] !== undefined).join();
const valuesOf = (rate: Rate) => selectors.map((name) => rate[name]).join();

/** Two rates for the same would leave it to chance which one is charged. */
function assertOneEach(rates: readonly Rate[]): void {
  for (const [at, rate] of rates.entries()) {
    const earlier = rates.slice(0, at).filter(({ unit }) => unit === rate.unit);
    if (earlier.some((other) => selectedBy(other) !== selectedBy(rate)))
      throw refused(
        `rates[${at}]`,
        `All rates for ${rate.unit} must depend on the same: name ${selectedBy(earlier[0] ?? rate) || "nothing"} in each.`,
      );
    if (earlier.some((other) => valuesOf(other) === valuesOf(rate)))
      throw refused(`rates[${at}]`, `There are two rates for the same ${rate.unit}.`);
  }
}

/** What is read from a cache never costs more than the input that it is part of. */
function assertCachedIsCheap(rates: readonly Rate[]): void {
  const at = rates.findIndex(({ unit }) => unit === "cached_input_token");
  const plain = rates.find(({ unit }) => unit === "input_token")?.amount ?? 0n;
  if ((rates[at]?.amount ?? 0n) > plain)
    throw refused(
      `rates[${at}]`,
      "The rate for cached_input_token must not exceed the one for input_token.",
    );
}

function listedPrice(model: Model, rates: readonly Rate[]): Price {
  if (rates.length === 0 || rates.length > RATES_MAX)
    throw refused("rates", `\`rates\` has ${rates.length} rates: send 1 to ${RATES_MAX}.`);
  for (const [at, rate] of rates.entries()) assertRate(model, rate, `rates[${at}]`);
  assertOneEach(rates);
  assertCachedIsCheap(rates);
  return priceOfRates(rates);
}

function tokenPrice(
  model: Model,
  { input, output }: { input?: Micropoints | undefined; output: Micropoints },
  present: Price | null,
): Price {
  const price = { ...present, input: input ?? present?.input ?? 0n, output };
  assertAmount("input", price.input);
  assertAmount("output", price.output);
  if (price.input !== 0n && model.family !== "text") {
    throw new RelayError("unsupported_value", {
      param: "input",
      message: `${model.id} does not charge for input, so it must have no input price.`,
    });
  }
  const cached = price.others?.find(({ unit }) => unit === "cached_input_token");
  if (cached && cached.amount > price.input)
    throw refused(
      "input",
      "The input price must not be less than the rate for cached_input_token: set the whole list of rates.",
    );
  return price;
}

/** The model that a price is for. Throws `model_not_found`. */
export function pricedModel(name: string): Model {
  const model = findModel(name);
  if (model !== undefined) return model;
  throw new RelayError("model_not_found", {
    message: `There is no model ${name}.`,
    param: "model",
  });
}

/** The price that is wanted. Throws what is wrong with it. */
export const cleanPrice = (model: Model, wanted: WantedPrice, present: Price | null): Price =>
  wanted.rates === undefined
    ? tokenPrice(model, wanted, present)
    : listedPrice(model, wanted.rates);
