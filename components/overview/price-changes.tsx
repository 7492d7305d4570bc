import { useLocale, useTranslations } from "next-intl";
import { RateChanges } from "@/components/catalog/rate-lines";
import { FamilyTag } from "@/components/requests/family-tag";
import { Card, PartHead } from "@/components/ui/card";
import { dayName } from "@/lib/client/days";
import type { ModelPriceView } from "@/lib/contract/prices";

const SHOWN_MAX = 4;
const RATES_SHOWN = 3;

/** The list prices that change; nothing when none is announced. */
export function PriceChanges({ prices }: { prices: readonly ModelPriceView[] }) {
  const t = useTranslations("overview");
  const locale = useLocale();
  const changes = prices
    .flatMap(({ model, family, rates, next }) =>
      next === null || rates.length === 0 ? [] : [{ model, family, rates, next }],
    )
    .sort((a, b) => a.next.effectiveAt.localeCompare(b.next.effectiveAt));
  if (changes.length === 0) return null;
  return (
    <Card aria-labelledby="changes" className="px-4 pt-3.5 pb-1.5">
      <PartHead
        id="changes"
        title={t("priceChanges")}
        href="/pricing"
        all={t("allPrices")}
        className="pb-1"
      />
      <ul className="divide-y">
        {changes.slice(0, SHOWN_MAX).map(({ model, family, rates, next }) => (
          <li key={model} className="flex flex-wrap items-baseline gap-x-3 py-2 text-sm">
            <span className="num w-16 whitespace-nowrap text-muted">
              {dayName(next.effectiveAt, locale)}
            </span>
            <span className="flex-1">
              <FamilyTag family={family}>{model}</FamilyTag>
            </span>
            <span className="num ml-auto text-right">
              <RateChanges before={rates} after={next.rates} most={RATES_SHOWN} />
            </span>
          </li>
        ))}
      </ul>
    </Card>
  );
}
