/** The rates of a model from the ratios of a source. */
import { type FormulaRate, ratesOfFormula } from "../contract/formula-rates";
import { formatPoints } from "../money/points";
import { pricePerCall, pricePerMillion, scaled } from "./rate";
import type { LoggedRatios, Ratios } from "./ratios";

interface RateText extends Omit<FormulaRate, "cost"> {
  readonly points: string;
}

/** Rates as a model's file has them, and what there is to say of them; or why there are none. */
export type MovedPrice =
  | { readonly rates: readonly RateText[]; readonly remarks: readonly string[] }
  | { readonly refusal: string };

const ONE = 10n ** 12n;

/** A rate for tokens that a cache has: only what costs something else than input. */
function cacheRates(
  name: string,
  { cache, cacheWrite }: Pick<Ratios, "cache" | "cacheWrite">,
  said: LoggedRatios | undefined,
  rateOf: (ratio: bigint) => string,
): { rates: RateText[]; remarks: string[] } {
  const rates: RateText[] = [];
  const remarks: string[] = [];
  const read = said?.cache ?? cache.get(name) ?? ONE;
  const write = said?.cacheWrite ?? cacheWrite.get(name) ?? ONE;
  if (read < ONE) rates.push({ unit: "cached_input_token", points: rateOf(read) });
  else if (read > ONE) remarks.push("cached input costs more than input there, and as input here");
  if (write !== ONE) rates.push({ unit: "cache_write_token", points: rateOf(write) });
  return { rates, remarks };
}

/** A formula's costs are in the source's currency, of a million tokens or of one request. */
function priceOfFormula(
  formula: string,
  { quotaPerUnit }: Ratios,
  quotaPerPoint: bigint,
): MovedPrice {
  const read = ratesOfFormula(formula);
  const refusal = "its price is a formula of the source that rates cannot say";
  if (read === null) return { refusal };
  const rates: RateText[] = [];
  for (const { cost, ...rate } of read) {
    const price = scaled(cost);
    if (price === null) return { refusal };
    const points = pricePerCall(price, quotaPerUnit, quotaPerPoint);
    rates.push({ ...rate, points: formatPoints(points) });
  }
  return { rates, remarks: ["its rates are read from a formula of the source: check them"] };
}

/**
 * What is fixed in the source's code wins over its settings for the completion ratio, so that the
 * log is asked first.
 */
export function movedPrice(
  name: string,
  ratios: Ratios,
  said: LoggedRatios | undefined,
  quotaPerPoint: bigint,
): MovedPrice {
  const formula = ratios.formulas.get(name);
  if (formula !== undefined) return priceOfFormula(formula, ratios, quotaPerPoint);
  const price = ratios.price.get(name) ?? (ratios.model.has(name) ? undefined : said?.price);
  if (price != null) {
    const points = pricePerCall(price, ratios.quotaPerUnit, quotaPerPoint);
    return { rates: [{ unit: "request", points: formatPoints(points) }], remarks: [] };
  }
  const model = ratios.model.get(name) ?? said?.model;
  if (model == null)
    return { refusal: "neither the source's settings nor its log say what it costs" };
  const set = ratios.completion.get(name);
  const completion = (said?.isExact ? said.completion : null) ?? set ?? said?.completion;
  if (completion == null)
    return { refusal: "neither the source's settings nor its log say what its answers cost" };
  const remarks: string[] = [];
  if (set !== undefined && set !== completion)
    remarks.push("its answers were charged at another ratio than the settings have: the log's");
  if (said?.isExact === false && (set === undefined || !ratios.model.has(name)))
    remarks.push("its price is from the log, which has two decimals: check it");
  const rateOf = (...more: bigint[]) =>
    formatPoints(pricePerMillion(quotaPerPoint, model, ...more));
  const cached = cacheRates(name, ratios, said, rateOf);
  const rates: RateText[] = [
    { unit: "input_token", points: rateOf() },
    { unit: "output_token", points: rateOf(completion) },
    ...cached.rates,
  ];
  return { rates, remarks: [...remarks, ...cached.remarks] };
}
