import { useLocale, useTranslations } from "next-intl";
import { RateChanges } from "@/components/catalog/rate-lines";
import { FamilyTag } from "@/components/requests/family-tag";
import { Card, PartHead } from "@/components/ui/card";
import { dayName } from "@/lib/client/days";
import type { OperatorPrice } from "@/lib/contract/operator-prices";

const SHOWN_MAX = 5;
const RATES_SHOWN = 3;

/** The prices that are set for a future time, the soonest first. */
export function ComingPricesCard({ prices }: { prices: readonly OperatorPrice[] | undefined }) {
  const t = useTranslations("operator.overview.prices");
  const locale = useLocale();
  const coming = (prices ?? [])
    .flatMap(({ model, family, present, upcoming }) =>
      upcoming.map(({ id, rates, effectiveAt }, at) => {
        const before = (upcoming[at - 1] ?? present)?.rates ?? [];
        return { id, model, family, before, rates, effectiveAt };
      }),
    )
    .sort((a, b) => a.effectiveAt.localeCompare(b.effectiveAt));
  return (
    <Card aria-labelledby="coming" className="px-5 pt-4 pb-2">
      <PartHead
        id="coming"
        title={t("title")}
        href="/admin/prices"
        all={t("all")}
        className="pb-1"
      />
      {prices && coming.length === 0 ? (
        <p className="pb-2 text-muted text-sm">{t("none")}</p>
      ) : null}
      <ul className="divide-y">
        {coming.slice(0, SHOWN_MAX).map(({ id, model, family, before, rates, effectiveAt }) => (
          <li key={id} className="flex flex-wrap items-baseline gap-x-3 py-2 text-sm">
            <span className="num w-16 whitespace-nowrap text-muted">
              {dayName(effectiveAt, locale)}
            </span>
            <span className="flex-1">
              <FamilyTag family={family}>{model}</FamilyTag>
            </span>
            <span className="num ml-auto text-right">
              <RateChanges before={before} after={rates} most={RATES_SHOWN} />
            </span>
          </li>
        ))}
      </ul>
    </Card>
  );
}
