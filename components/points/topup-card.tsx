import { useLocale, useTranslations } from "next-intl";
import { useBuyingPower } from "@/components/catalog/buying-power";
import { Button } from "@/components/ui/button";
import { Card, CardHead } from "@/components/ui/card";
import { cn } from "@/components/ui/class-names";
import { useFailureText } from "@/components/ui/failure-text";
import { Notice } from "@/components/ui/notice";
import { PointsText } from "@/components/ui/points-text";
import { moneyText } from "@/lib/client/money-text";
import { useStartPayment } from "@/lib/client/payments";
import type { PackageView } from "@/lib/contract/payments";
import type { ModelPriceView } from "@/lib/contract/prices";

interface TopupCardProps {
  packages: readonly PackageView[];
  prices: readonly ModelPriceView[];
}

/** The packages of points on sale. */
export function TopupCard({ packages, prices }: TopupCardProps) {
  const t = useTranslations("topup");
  const failureText = useFailureText("purchase");
  const start = useStartPayment();
  return (
    <Card aria-labelledby="topup" className="mt-3.5">
      <CardHead id="topup" title={t("title")} note={t("note")} />
      <ul
        className={cn(
          "grid overflow-hidden rounded-b-lg border-t sm:grid-cols-2",
          packages.length % 4 === 0 ? "xl:grid-cols-4" : "xl:grid-cols-3",
        )}
      >
        {packages.map((each) => (
          <PackageOffer
            key={each.id}
            offer={each}
            prices={prices}
            isBusy={(start.isPending || start.isSuccess) && start.variables === each.id}
            isOff={start.isPending || start.isSuccess}
            onBuy={() => start.mutate(each.id)}
          />
        ))}
      </ul>
      {start.error ? (
        <div className="border-t p-4">
          <Notice tone="bad">{failureText(start.error)}</Notice>
        </div>
      ) : null}
    </Card>
  );
}

interface PackageOfferProps {
  offer: PackageView;
  prices: readonly ModelPriceView[];
  isBusy: boolean;
  isOff: boolean;
  onBuy: () => void;
}

function PackageOffer({ offer, prices, isBusy, isOff, onBuy }: PackageOfferProps) {
  const t = useTranslations("topup");
  const locale = useLocale();
  const words = useBuyingPower(offer.points, prices);
  const price = moneyText(offer.amount, offer.currency, locale);
  return (
    <li className="-mr-px -mb-px flex flex-col gap-1.5 border-r border-b px-5 py-4">
      <p className="font-medium wrap-anywhere">{offer.name}</p>
      <p className="font-medium text-xl">
        {t.rich("points", { amount: () => <PointsText value={offer.points} /> })}
      </p>
      {offer.note ? <p className="text-sm wrap-anywhere">{offer.note}</p> : null}
      <p className="flex-1 text-muted text-sm">{words}</p>
      <Button
        look="go"
        className="mt-2 w-full"
        disabled={isOff}
        isBusy={isBusy}
        aria-label={t("buyLabel", { name: offer.name, price })}
        onClick={onBuy}
      >
        {t("buy", { price })}
      </Button>
    </li>
  );
}
