import { useFormatter, useLocale, useTranslations } from "next-intl";
import { useBuyingPower } from "@/components/catalog/buying-power";
import { Card } from "@/components/ui/card";
import { PointsText } from "@/components/ui/points-text";
import { Skeleton } from "@/components/ui/skeleton";
import { useMe } from "@/lib/client/account";
import { dayName } from "@/lib/client/days";
import { readPoints } from "@/lib/client/points-display";
import type { Me } from "@/lib/contract/me";
import type { ModelPriceView } from "@/lib/contract/prices";
import { BalanceBar, BalanceBarSkeleton } from "./balance-bar";
import { useForecast } from "./use-forecast";

/** The account's balance, and what it would buy. */
export function BalanceCard({ prices }: { prices: readonly ModelPriceView[] }) {
  const t = useTranslations("points");
  const { data: me } = useMe();
  return (
    <Card
      aria-labelledby="balance"
      className="min-h-75.5 px-5 py-4.5 sm:min-h-69 md:min-h-58.75 lg:max-xl:col-span-2 xl:min-h-69.25 min-[88rem]:min-h-58.75"
    >
      <h2 id="balance" className="font-normal text-muted text-sm tracking-normal">
        {t("availablePoints")}
      </h2>
      {me ? <Balance me={me} prices={prices} /> : <BalanceSkeleton />}
    </Card>
  );
}

function Balance({ me, prices }: { me: Me; prices: readonly ModelPriceView[] }) {
  const words = useBuyingPower(me.balance.available, prices);
  return (
    <>
      <PointsText
        value={me.balance.available}
        form="exact"
        className="mt-1 block break-all font-medium text-3xl tracking-tighter"
      />
      <p className="mt-1 min-h-5 text-muted text-sm">{words}</p>
      <Outlook available={me.balance.available} prices={prices} />
      <BalanceBar me={me} />
    </>
  );
}

/** Until when it lasts at the pace of the last days, with the coming prices that count until then. */
function Outlook({ available, prices }: { available: string; prices: readonly ModelPriceView[] }) {
  const t = useTranslations("points.outlook");
  const format = useFormatter();
  const locale = useLocale();
  const outlook = useForecast(available, prices);
  const hasPoints = readPoints(available) > 0n;
  const day =
    outlook?.emptyAt === null || outlook === null
      ? null
      : dayName(new Date(outlook.emptyAt).toISOString(), locale, true);
  return (
    <p className="mt-0.5 min-h-9.5 text-muted text-sm">
      {outlook === null || !hasPoints ? null : !outlook.hasPace ? (
        t("noPace")
      ) : day === null ? (
        t("overAYear")
      ) : (
        <>
          {t.rich("until", { day: () => <b className="font-medium text-ink">{day}</b> })}
          {outlook.counted.length > 0
            ? ` ${t("counted", { count: outlook.counted.length, models: format.list(outlook.counted) })}`
            : ""}
        </>
      )}
    </p>
  );
}

function BalanceSkeleton() {
  return (
    <>
      <Skeleton className="mt-2 mb-1.5 h-8 w-56" />
      <Skeleton className="mt-2 h-3.5 w-72 max-w-full" />
      <Skeleton className="mt-2 mb-5 h-3.5 w-60 max-w-full" />
      <BalanceBarSkeleton />
    </>
  );
}
