import { useTranslations } from "next-intl";
import { useRateText } from "@/components/requests/rate-text";
import { useListText } from "@/components/ui/use-list-text";
import { priceText } from "@/lib/client/points-display";
import { rateChanges } from "@/lib/client/rate-changes";
import type { RateView } from "@/lib/contract/rates";
import { isMainRate } from "@/lib/contract/units";

/** The changes that are named; a price may have 64 rates. */
const SHOWN_MAX = 3;

/** A planned price in words: of tokens alone its amounts, else what changes. */
export function usePlannedText() {
  const listed = useListText();
  const t = useTranslations("ui");
  const rateText = useRateText();
  return (before: readonly RateView[], planned: readonly RateView[]) => {
    if (planned.every(isMainRate))
      return planned.length === 1
        ? planned.map(({ points }) => priceText(points)).join()
        : listed(planned.map((each) => rateText.price(each)));
    const changes = rateChanges(before, planned);
    const named = listed(changes.slice(0, SHOWN_MAX).map((each) => rateText.change(each)));
    const more = changes.length - SHOWN_MAX;
    return more > 0 ? `${named} ${t("andMore", { count: more })}` : named;
  };
}
