/** What a list of rates may be, for a price of ours and for one of an upstream. */
import type { Model } from "../catalog/models";
import {
  hoursForm,
  orderSelectors,
  RATES_MAX,
  SELECTOR_LENGTH_MAX,
  selectorForm,
  selectors,
  selectorsOfUnit,
  type Unit,
  unitsOfFamily,
} from "../contract/units";
import { invalidValue, RelayError } from "../failures/relay-error";
import { isWithin } from "../pricing/price-at";
import { isOfPart, type Rate, type Selectors, sameFor } from "../pricing/rate";

export function assertAmount(param: string, amount: bigint, most: bigint): void {
  if (amount >= 0n && amount <= most) return;
  throw invalidValue(param, `The ${param} price must be from 0 to ${most / 1_000_000n} points.`);
}

const isSelector = (value: string) =>
  value.length <= SELECTOR_LENGTH_MAX && selectorForm.test(value);

function assertRate(model: Model, rate: Rate, param: string, most: bigint): void {
  const counted: readonly string[] = unitsOfFamily[model.family];
  if (!counted.includes(rate.unit)) {
    const message = `\`${param}\` is for ${rate.unit}: ${model.id} is counted in ${counted.join(", ")}.`;
    throw new RelayError("unsupported_value", { param, message });
  }
  assertAmount(param, rate.amount, most);
  const allowed = selectorsOfUnit(rate.unit);
  for (const name of selectors) {
    const value = rate[name];
    if (value === undefined) continue;
    if (!allowed.includes(name))
      throw invalidValue(
        param,
        `\`${param}\` has ${name}: rates for ${rate.unit} do not depend on it.`,
      );
    if (typeof value === "string" && name !== "hours" && !isSelector(value))
      throw invalidValue(
        param,
        `\`${param}\` has a ${name} with other characters than letters, digits and . _ : -.`,
      );
  }
}

const isPlainText = (rate: Rate) =>
  selectedBy(rate) === "" && (rate.unit === "input_token" || rate.unit === "output_token");
const selectedBy = (rate: Selectors) =>
  orderSelectors.filter((name) => rate[name] !== undefined).join();
const valuesOf = (rate: Rate) => selectors.map((name) => rate[name]).join();

/** Throws where hours are none, or are in other hours of the same unit. */
function assertHours(param: string, { unit, hours }: Rate, earlier: readonly Rate[]): void {
  if (hours === undefined) return;
  const [from, to] = [hours.slice(0, 5), hours.slice(6)];
  if (!hoursForm.test(hours) || from === to)
    throw invalidValue(
      param,
      `\`${param}\` has the hours ${JSON.stringify(hours)}: name two different times of day in UTC, such as 16:30-00:30.`,
    );
  const other = earlier.find(
    (each) =>
      each.hours !== undefined &&
      each.hours !== hours &&
      (isWithin(each.hours, from) || isWithin(hours, each.hours.slice(0, 5))),
  );
  if (other !== undefined)
    throw invalidValue(
      param,
      `\`${param}\` has the hours ${hours}: those of ${unit} may not overlap, and ${other.hours} does.`,
    );
}

/** Throws for a rate of a length or of hours without one of the rest. */
function assertRest(param: string, rate: Rate, all: readonly (Selectors & { unit: Unit })[]): void {
  if (!isOfPart(rate)) return;
  const isRest = (other: Selectors & { unit: Unit }) =>
    !isOfPart(other) && sameFor(other) === sameFor(rate);
  if (all.some(isRest)) return;
  const message = `\`${param}\` is for a part of all requests: list the same without input_from and hours too, as the rate of the rest.`;
  throw invalidValue(param, message);
}

/**
 * Two rates for the same would leave it to chance which one counts. Throws `invalid_value`. `main`: the
 * units of rates that are given elsewhere.
 */
export function assertOneEach(rates: readonly Rate[], main: readonly Unit[] = []): void {
  const all = [...rates, ...main.map((unit) => ({ unit }))];
  for (const [at, rate] of rates.entries()) {
    const earlier = rates.slice(0, at).filter(({ unit }) => unit === rate.unit);
    // Of text, the plain rate is that of every tier without one of its own.
    const selected = [...earlier, rate].filter((each) => !isPlainText(each));
    if (selected.some((other) => selectedBy(other) !== selectedBy(selected[0] ?? rate)))
      throw invalidValue(
        `rates[${at}]`,
        `All rates for ${rate.unit} must depend on the same: name ${selectedBy(selected[0] ?? rate) || "nothing"} in each.`,
      );
    if (earlier.some((other) => valuesOf(other) === valuesOf(rate)))
      throw invalidValue(`rates[${at}]`, `There are two rates for the same ${rate.unit}.`);
    assertHours(`rates[${at}]`, rate, earlier);
    assertRest(`rates[${at}]`, rate, all);
  }
}

/** Throws the first thing that is wrong with the rates of a model. */
export function assertRates(
  model: Model,
  rates: readonly Rate[],
  most: bigint,
  main: readonly Unit[] = [],
): void {
  if (rates.length > RATES_MAX)
    throw invalidValue("rates", `\`rates\` has ${rates.length} rates: send at most ${RATES_MAX}.`);
  for (const [at, rate] of rates.entries()) assertRate(model, rate, `rates[${at}]`, most);
  assertOneEach(rates, main);
}
