import type { Model } from "@/lib/catalog/models";
import type { ModelPriceView } from "@/lib/contract/prices";
import type { PriceHistory } from "@/lib/contract/public";
import { pagesDeps } from "@/lib/pages-api/pages-deps";
import { listPrices, priceHistoryOf } from "@/lib/queries/prices";

/** The price list as it is now; with an account, its own prices beside it. */
export function priceViews(accountId: string | null): Promise<ModelPriceView[]> {
  return listPrices(pagesDeps(), accountId);
}

/** The list prices a model had, the newest first. */
export function priceHistory(model: Model): Promise<PriceHistory> {
  return priceHistoryOf(pagesDeps(), model);
}
