import type { z } from "zod";
import { readTerms } from "../accounts/account-terms";
import { formatMultiplier } from "../accounts/multipliers";
import { type Model, offeredModels } from "../catalog/models";
import { fittingModels, virtualModels } from "../catalog/virtual-models";
import type { modelPrice, virtualPrice } from "../contract/prices";
import type { PriceHistory } from "../contract/public";
import { formatPoints, type Micropoints } from "../money/points";
import { readUpcomingPrices } from "../price-book/price-schedule";
import type { PriceVersion } from "../price-book/price-version";
import { pricedChoices, priceRange } from "../price-book/virtual-choice";
import { MULTIPLIER_PPM_ONE } from "../pricing/price";
import { multipliedRate, ownRatesText, ratesText } from "../pricing/rate-text";
import { readPriceHistory } from "./price-history";
import type { QueryDeps } from "./query-deps";

type ModelPrice = z.input<typeof modelPrice>;

const inputText = (model: Model, amount: Micropoints) =>
  model.family !== "text" ? null : formatPoints(amount);

const nextOf = (model: Model, { price, effectiveAt }: PriceVersion): ModelPrice["next"] => ({
  input: inputText(model, price.input),
  output: formatPoints(price.output),
  rates: ratesText(model.family, price),
  effectiveAt: effectiveAt.toISOString(),
});

type Deps = Pick<QueryDeps, "pool" | "priceBook">;

/**
 * The list price of each model in the catalogue. If an account asks: only those that it may see,
 * with its own price.
 */
export async function listPrices(
  { pool, priceBook }: Deps,
  accountId: string | null,
): Promise<ModelPrice[]> {
  const terms = accountId === null ? null : await readTerms(pool, accountId);
  const upcoming = await readUpcomingPrices(pool);
  const seen = offeredModels().filter(({ id }) => terms?.sees(id) ?? true);
  return seen.map((model) => {
    const version = priceBook.current(model.id);
    const next = upcoming.find((each) => each.model === model.id);
    const base = {
      model: model.id,
      alias: model.alias,
      family: model.family,
      next: next ? nextOf(model, next) : null,
    };
    if (version === undefined)
      return { ...base, input: null, output: null, rates: [], own: null, effectiveAt: null };
    const { price } = version;
    const ppm = terms?.multiplierPpm(model.id);
    return {
      ...base,
      input: inputText(model, price.input),
      output: formatPoints(price.output),
      rates: ratesText(model.family, price),
      own:
        ppm === undefined
          ? null
          : {
              multiplier: formatMultiplier(ppm),
              input: inputText(model, multipliedRate(price.input, ppm)),
              output: formatPoints(multipliedRate(price.output, ppm)),
              rates: ownRatesText(model.family, price, ppm),
            },
      effectiveAt: version.effectiveAt.toISOString(),
    };
  });
}

/** The models that stand for others, of which the account may see one that is priced. */
export async function listVirtualPrices(
  { pool, priceBook }: Deps,
  accountId: string | null,
): Promise<z.input<typeof virtualPrice>[]> {
  const terms = accountId === null ? null : await readTerms(pool, accountId);
  const seen = offeredModels().filter(({ id }) => terms?.sees(id) ?? true);
  const buyer = terms ?? { multiplierPpm: () => MULTIPLIER_PPM_ONE };
  return virtualModels().flatMap((virtual) => {
    const choices = pricedChoices(virtual, fittingModels(virtual, seen), buyer, priceBook);
    const range = priceRange(choices);
    if (range === null) return [];
    return [
      {
        model: virtual.name,
        family: virtual.family,
        models: choices.map(({ model }) => model.id),
        inputMin: formatPoints(range.input.min),
        inputMax: formatPoints(range.input.max),
        outputMin: formatPoints(range.output.min),
        outputMax: formatPoints(range.output.max),
        usualMin: formatPoints(range.usual.min),
        usualMax: formatPoints(range.usual.max),
      },
    ];
  });
}

/** The offered models that an account may not see. */
export async function hiddenModels(
  { pool }: Pick<QueryDeps, "pool">,
  accountId: string,
): Promise<string[]> {
  const terms = await readTerms(pool, accountId);
  return offeredModels().flatMap(({ id }) => (terms?.sees(id) === false ? [id] : []));
}

/** The list prices of one model since it was first offered, newest first. */
export async function priceHistoryOf(
  { pool }: Pick<QueryDeps, "pool">,
  model: Model,
): Promise<PriceHistory> {
  const versions = await readPriceHistory(pool, model.id);
  return {
    model: model.id,
    versions: versions.map(({ price, effectiveAt }) => ({
      input: inputText(model, price.input),
      output: formatPoints(price.output),
      rates: ratesText(model.family, price),
      effectiveAt: effectiveAt.toISOString(),
    })),
  };
}
