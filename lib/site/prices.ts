import type { z } from "zod";
import { formatMultiplier } from "../accounts/multipliers";
import { type Model, models } from "../catalog/models";
import type { modelPrice } from "../contract/prices";
import { formatPoints, type Micropoints } from "../points";
import { readUpcomingPrices } from "../price-book/price-schedule";
import type { PriceVersion } from "../price-book/price-version";
import { priceOf } from "../pricing/price";
import type { Call } from "./call";
import type { SiteParts } from "./site-parts";

type ModelPrice = z.input<typeof modelPrice>;

const inputText = (model: Model, amount: Micropoints) => (model.defaultPrice.input === undefined ? null : formatPoints(amount));

const nextOf = (model: Model, { price, effectiveAt }: PriceVersion): ModelPrice["next"] => ({
  input: inputText(model, price.input),
  output: formatPoints(price.output),
  effectiveAt: effectiveAt.toISOString(),
});

/** The list price of each model of the catalogue, beside it the account's own where one asks. */
export async function listPrices(parts: SiteParts, accountId: string | null): Promise<ModelPrice[]> {
  const account =
    accountId === null
      ? null
      : await parts.database.account.findUniqueOrThrow({ where: { id: accountId }, include: { modelMultipliers: true } });
  const upcoming = await readUpcomingPrices(parts.pool);
  return models.map((model) => {
    const version = parts.priceBook.current(model.id);
    const next = upcoming.find((each) => each.model === model.id);
    const base = { model: model.id, alias: model.alias, family: model.family, next: next ? nextOf(model, next) : null };
    if (version === undefined) return { ...base, input: null, output: null, own: null, effectiveAt: null };
    const { input, output } = version.price;
    const ppm = account?.modelMultipliers.find((own) => own.model === model.id)?.multiplierPpm ?? account?.multiplierPpm;
    // A million tokens of one kind, so that the list shows what the bill would say.
    const own = (kind: "input" | "output") =>
      priceOf({ inputTokens: kind === "input" ? 1_000_000 : 0, outputTokens: kind === "output" ? 1_000_000 : 0 }, version.price, ppm ?? 0);
    return {
      ...base,
      input: inputText(model, input),
      output: formatPoints(output),
      own:
        ppm === undefined
          ? null
          : {
              multiplier: formatMultiplier(ppm),
              input: model.defaultPrice.input === undefined ? null : formatPoints(own("input")),
              output: formatPoints(own("output")),
            },
      effectiveAt: version.effectiveAt.toISOString(),
    };
  });
}

export async function showPrices({ parts, isSignedIn, user }: Call) {
  return { prices: await listPrices(parts, isSignedIn ? user().accountId : null) };
}
