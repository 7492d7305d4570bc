import type { Model } from "@/lib/catalog/models";
import type { ModelPriceView, VirtualPriceView } from "@/lib/contract/prices";
import type { PriceHistory } from "@/lib/contract/public";
import { pagesDeps } from "@/lib/pages-api/pages-deps";
import { hiddenModels, listPrices, listVirtualPrices, priceHistoryOf } from "@/lib/queries/prices";

/** The current price list; for an account, with its own prices. */
export function priceViews(accountId: string | null): Promise<ModelPriceView[]> {
  return listPrices(pagesDeps(), accountId);
}

/** The models that stand for others. */
export function virtualPriceViews(accountId: string | null): Promise<VirtualPriceView[]> {
  return listVirtualPrices(pagesDeps(), accountId);
}

/** The offered models that an account may not see. */
export function modelsHiddenFrom(accountId: string): Promise<string[]> {
  return hiddenModels(pagesDeps(), accountId);
}

/** A model's past list prices, newest first. */
export function priceHistory(model: Model): Promise<PriceHistory> {
  return priceHistoryOf(pagesDeps(), model);
}
