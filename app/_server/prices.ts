import type { ModelPriceView } from "@/lib/contract/site";
import { listPrices } from "@/lib/site/prices";
import { siteParts } from "@/lib/site/site-parts";

/** The price list as it is now; with an account, its own prices beside it. */
export function priceViews(accountId: string | null): Promise<ModelPriceView[]> {
  return listPrices(siteParts(), accountId);
}
