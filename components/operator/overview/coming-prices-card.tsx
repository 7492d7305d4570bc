import { useTranslations } from "next-intl";
import { DatedRateChange } from "@/components/catalog/rate-lines";
import { Card, PartHead } from "@/components/ui/card";
import type { OperatorPrice } from "@/lib/contract/operator-prices";

const SHOWN_MAX = 5;

/** The prices that are set for a future time, the soonest first. */
export function ComingPricesCard({ prices }: { prices: readonly OperatorPrice[] | undefined }) {
  const t = useTranslations("operator.overview.prices");
  const coming = (prices ?? [])
    .flatMap(({ model, family, present, upcoming }) =>
      upcoming.map(({ id, rates, effectiveAt }, at) => {
        const before = (upcoming[at - 1] ?? present)?.rates ?? [];
        return { id, model, family, before, after: rates, at: effectiveAt };
      }),
    )
    .sort((a, b) => a.at.localeCompare(b.at));
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
        {coming.slice(0, SHOWN_MAX).map(({ id, ...change }) => (
          <DatedRateChange key={id} {...change} />
        ))}
      </ul>
    </Card>
  );
}
