"use client";

import { useFormatter, useTranslations } from "next-intl";
import { useBuyingPhrases } from "@/components/catalog/buying-power";
import { Button } from "@/components/ui/button";
import { Card } from "@/components/ui/card";
import { cn } from "@/components/ui/class-names";
import { Link } from "@/components/ui/link";
import { PointsText } from "@/components/ui/points-text";
import { Skeleton } from "@/components/ui/skeleton";
import { useMe } from "@/lib/client/account";
import { useNow } from "@/lib/client/now";
import { readPoints } from "@/lib/client/points-display";
import { useMay } from "@/lib/client/shown-account";
import type { Me } from "@/lib/contract/me";
import type { ModelPriceView } from "@/lib/contract/prices";
import { BalanceBar, BalanceBarSkeleton } from "./balance-bar";
import { useForecast } from "./use-forecast";
import { VoucherDialog } from "./voucher-dialog";

const DAY_MS = 86_400_000;

interface BalanceWordsProps {
  prices: readonly ModelPriceView[];
  /** Whether points can be bought here. */
  canTopUp: boolean;
}

/** The balance as a sentence: for how long it lasts, and what it buys. */
export function BalanceWords({ prices, canTopUp: isSold }: BalanceWordsProps) {
  const t = useTranslations("points");
  const words = useTranslations("overview.balance");
  const { data: me } = useMe();
  const mayTopUp = useMay("topUp");
  const canTopUp = useMay("buy") && isSold;
  return (
    <Card
      aria-labelledby="balance"
      className={cn(
        "grid grid-cols-1 content-between px-5 py-4.5",
        mayTopUp ? "min-h-84 sm:min-h-54 lg:min-h-50" : "min-h-71 sm:min-h-41 lg:min-h-37",
      )}
    >
      <h2 id="balance" className="sr-only">
        {t("availablePoints")}
      </h2>
      {me ? <Words me={me} prices={prices} canTopUp={canTopUp} /> : <WordsSkeleton />}
      <div>
        {me ? <BalanceBar me={me} /> : <BalanceBarSkeleton />}
        {mayTopUp ? (
          <div className="mt-3 flex flex-wrap justify-end gap-2">
            <VoucherDialog />
            {canTopUp ? (
              <Button asChild look="go">
                <Link href="/points#topup">{words("topUp")}</Link>
              </Button>
            ) : null}
          </div>
        ) : null}
      </div>
    </Card>
  );
}

function Words({ me, prices, canTopUp }: BalanceWordsProps & { me: Me }) {
  const t = useTranslations("overview.balance");
  const { available } = me.balance;
  const outlook = useOutlook(available, prices);
  const mayTopUp = useMay("topUp");
  if (readPoints(available) <= 0n) {
    return (
      <div>
        <p className="text-balance font-medium text-xl">{t("nothing")}</p>
        <p className="mt-1 max-w-[60ch] text-muted text-sm">
          {t(mayTopUp ? (canTopUp ? "nothingTopUp" : "nothingAsk") : "nothingTeam")}
        </p>
      </div>
    );
  }
  return (
    <p className="max-w-[46ch] text-balance font-medium text-xl leading-snug">
      {t.rich("have", { outlook, points: () => <PointsText value={available} /> })}
    </p>
  );
}

/** `That is about 9 days at your pace, or about 14 videos of 5 s at 720p.` */
function useOutlook(available: string, prices: readonly ModelPriceView[]): string {
  const t = useTranslations("overview.balance");
  const format = useFormatter();
  const outlook = useForecast(available, prices);
  const now = useNow();
  const phrases = useBuyingPhrases(available, prices);
  const phrase = phrases.at(-1);
  const days = outlook?.emptyAt ? (outlook.emptyAt - now) / DAY_MS : null;
  const time = !outlook?.hasPace
    ? null
    : days === null
      ? t("overAYear")
      : days < 1
        ? t("underADay")
        : t("days", { count: Math.floor(days), number: format.number(Math.floor(days)) });
  if (time && phrase) return t("paceOr", { time, phrase });
  if (time) return t("pace", { time });
  return phrase ? t("buys", { phrase }) : t("tooFew");
}

function WordsSkeleton() {
  return (
    <div className="grid grid-cols-1 gap-2.5 pt-1.5">
      <Skeleton className="h-5 w-110 max-w-full" />
      <Skeleton className="h-5 w-80 max-w-full" />
    </div>
  );
}
