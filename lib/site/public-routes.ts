import { findModel, type Model } from "../catalog/models";
import { priceHistoryQuery, priceHistoryResponse, versionResponse } from "../contract/public";
import { RelayError } from "../errors";
import { type SiteHost, siteHandler } from "../http/site";
import { priceHistoryOf } from "../queries/prices";
import type { SiteParts } from "./site-parts";
import { runningVersion } from "./version";

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
