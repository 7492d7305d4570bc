"use client";

import { useTranslations } from "next-intl";
import { useBuyingPower } from "@/components/catalog/buying-power";
import { Card } from "@/components/ui/card";
import { PointsText } from "@/components/ui/points-text";
import { Skeleton } from "@/components/ui/skeleton";
import { useMe } from "@/lib/client/account";
import type { Me } from "@/lib/contract/me";
import type { ModelPriceView } from "@/lib/contract/prices";
import { BalanceBar, BalanceBarSkeleton } from "./balance-bar";

/** The account's balance, and what it would buy. */
export function BalanceCard({ prices }: { prices: readonly ModelPriceView[] }) {
  const t = useTranslations("points");
  const { data: me } = useMe();
  return (
    <Card
      aria-labelledby="balance"
      className="min-h-65.5 px-5 py-4.5 sm:min-h-59 md:min-h-48.75 lg:max-xl:col-span-2 xl:min-h-59.25 min-[88rem]:min-h-48.75"
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
      <BalanceBar me={me} />
    </>
  );
}

function BalanceSkeleton() {
  return (
    <>
      <Skeleton className="mt-2 mb-1.5 h-8 w-56" />
      <Skeleton className="mt-2 h-3.5 w-72 max-w-full" />
      <BalanceBarSkeleton />
    </>
  );
}
