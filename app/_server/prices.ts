import type { Model } from "@/lib/catalog/models";
import type { ModelPriceView } from "@/lib/contract/prices";
import type { PriceHistory } from "@/lib/contract/public";
import { listPrices, priceHistoryOf } from "@/lib/queries/prices";
import { siteParts } from "@/lib/site/site-parts";

/** The price list as it is now; with an account, its own prices beside it. */
export function priceViews(accountId: string | null): Promise<ModelPriceView[]> {
  return listPrices(siteParts(), accountId);
}

/** The list prices a model had, the newest first. */
export function priceHistory(model: Model): Promise<PriceHistory> {
  return priceHistoryOf(siteParts(), model);
}
