import { findModel, type Model } from "../catalog/models";
import { type PriceHistory, priceHistoryQuery, priceHistoryResponse, versionResponse } from "../contract/public";
import { RelayError } from "../errors";
import { type SiteHost, siteHandler } from "../http/site";
import { formatPoints } from "../points";
import { readPriceHistory } from "../price-book/price-history";
import type { SiteParts } from "./site-parts";
import { runningVersion } from "./version";

/** The list prices of one model since it was offered, the newest first. */
export async function priceHistoryOf({ pool }: Pick<SiteParts, "pool">, model: Model): Promise<PriceHistory> {
  const versions = await readPriceHistory(pool, model.id);
  return {
    model: model.id,
    versions: versions.map(({ price, effectiveAt }) => ({
      input: model.defaultPrice.input === undefined ? null : formatPoints(price.input),
      output: formatPoints(price.output),
      effectiveAt: effectiveAt.toISOString(),
    })),
  };
}

function modelNamed(name: string): Model {
  const model = findModel(name);
  if (model === undefined) throw new RelayError("model_not_found", { message: `There is no model ${name}.`, param: "model" });
  return model;
}

/** Addresses of `/api` that anyone may ask. */
export function publicRoutes<User>(host: SiteHost<SiteParts, User>) {
  const anyone = { session: "none", body: null } as const;
  return {
    showVersion: siteHandler(host, { ...anyone, query: null, answer: versionResponse, run: async () => runningVersion() }),
    showPriceHistory: siteHandler(host, {
      ...anyone,
      query: priceHistoryQuery,
      answer: priceHistoryResponse,
      run: ({ parts, query }) => priceHistoryOf(parts, modelNamed(query.model)),
    }),
  };
}
