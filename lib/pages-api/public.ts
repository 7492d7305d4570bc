import { findModel, type Model } from "../catalog/models";
import type { publicEndpoints } from "../contract/public";
import { RelayError } from "../failures/relay-error";
import { listPrices, listVirtualPrices, priceHistoryOf } from "../queries/prices";
import type { UseCases } from "./use-case";

function modelNamed(name: string): Model {
  const model = findModel(name);
  if (model === undefined || model.state === "draft") {
    const message = `There is no model ${name}.`;
    throw new RelayError("model_not_found", { message, param: "model" });
  }
  return model;
}

export const publicUseCases: UseCases<typeof publicEndpoints> = {
  async showPrices({ deps, user }) {
    const accountId = user?.accountId ?? null;
    const [prices, virtual] = await Promise.all([
      listPrices(deps, accountId),
      listVirtualPrices(deps, accountId),
    ]);
    return { prices, virtual };
  },
  async showPriceHistory({ deps, query }) {
    return priceHistoryOf(deps, modelNamed(query.model));
  },
  /** `next.config.mjs` writes the version into the build. */
  async showVersion() {
    return {
      version: process.env.RELAY_BUILD_VERSION ?? "0",
      commit: process.env.RELAY_BUILD_COMMIT || null,
      builtAt: process.env.RELAY_BUILT_AT || null,
    };
  },
};
