import type { z } from "zod";
import { formatMultiplier } from "../accounts/multipliers";
import { type Model, offeredModels } from "../catalog/models";
import type { modelPrice } from "../contract/prices";
import type { PriceHistory } from "../contract/public";
import { formatPoints, type Micropoints } from "../points";
import { readUpcomingPrices } from "../price-book/price-schedule";
import type { PriceVersion } from "../price-book/price-version";
import { priceOf } from "../pricing/price";
import { readPriceHistory } from "./price-history";
import type { QueryDeps } from "./query-deps";

type ModelPrice = z.input<typeof modelPrice>;

const inputText = (model: Model, amount: Micropoints) =>
  model.family !== "text" ? null : formatPoints(amount);

const nextOf = (model: Model, { price, effectiveAt }: PriceVersion): ModelPrice["next"] => ({
  input: inputText(model, price.input),
  output: formatPoints(price.output),
  effectiveAt: effectiveAt.toISOString(),
});

type Deps = Pick<QueryDeps, "database" | "pool" | "priceBook">;

/**
 * The list price of each model in the catalogue, and the account's own price if an account asks.
 */
export async function listPrices(
  { database, pool, priceBook }: Deps,
  accountId: string | null,
): Promise<ModelPrice[]> {
  const account =
    accountId === null
      ? null
      : await database.account.findUniqueOrThrow({
          where: { id: accountId },
          include: { modelMultipliers: true },
        });
  const upcoming = await readUpcomingPrices(pool);
  return offeredModels().map((model) => {
    const version = priceBook.current(model.id);
    const next = upcoming.find((each) => each.model === model.id);
    const base = {
      model: model.id,
      alias: model.alias,
      family: model.family,
      next: next ? nextOf(model, next) : null,
    };
    if (version === undefined)
      return { ...base, input: null, output: null, own: null, effectiveAt: null };
    const { input, output } = version.price;
    const ppm =
      account?.modelMultipliers.find((own) => own.model === model.id)?.multiplierPpm ??
      account?.multiplierPpm;
    // Prices a million tokens of one kind, so that the list agrees with the charge.
    const own = (kind: "input" | "output") =>
      priceOf(
        {
          inputTokens: kind === "input" ? 1_000_000 : 0,
          outputTokens: kind === "output" ? 1_000_000 : 0,
        },
        version.price,
        ppm ?? 0,
      );
    return {
      ...base,
      input: inputText(model, input),
      output: formatPoints(output),
      own:
        ppm === undefined
          ? null
          : {
              multiplier: formatMultiplier(ppm),
              input: model.family !== "text" ? null : formatPoints(own("input")),
              output: formatPoints(own("output")),
            },
      effectiveAt: version.effectiveAt.toISOString(),
    };
  });
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
      effectiveAt: effectiveAt.toISOString(),
    })),
  };
}
