import { useTranslations } from "next-intl";
import { DatedRateChange } from "@/components/catalog/rate-lines";
import { Card, PartHead } from "@/components/ui/card";
import type { ModelPriceView } from "@/lib/contract/prices";

const SHOWN_MAX = 4;

/** The list prices that change; nothing when none is announced. */
export function PriceChanges({ prices }: { prices: readonly ModelPriceView[] }) {
  const t = useTranslations("overview");
  const changes = prices
    .flatMap(({ model, family, rates, next }) =>
      next === null || rates.length === 0
        ? []
        : [{ model, family, at: next.effectiveAt, before: rates, after: next.rates }],
    )
    .sort((a, b) => a.at.localeCompare(b.at));
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
        {changes.slice(0, SHOWN_MAX).map((change) => (
          <DatedRateChange key={change.model} {...change} />
        ))}
      </ul>
    </Card>
  );
}
