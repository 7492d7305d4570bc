"use client";

import { useTranslations } from "next-intl";
import { Card } from "@/components/ui/card";
import { PointsText } from "@/components/ui/points-text";
import { Skeleton } from "@/components/ui/skeleton";
import { useMe } from "@/lib/client/account";
import { readPoints } from "@/lib/client/points-display";
import type { Me } from "@/lib/contract/me";
import type { ModelPriceView } from "@/lib/contract/prices";
import { useBuyingPower } from "./buying-power";

/** A share in whole percent, for a bar. The amounts beside it are exact. */
function share(part: string, whole: bigint): number {
  const amount = readPoints(part);
  return whole <= 0n || amount <= 0n ? 0 : Number((amount * 1000n) / whole) / 10;
}

/** Sets the width by script, since the content security policy takes no style attributes. */
function widthOf(percent: number) {
  return (element: HTMLElement | null) => {
    if (element) element.style.width = `${percent}%`;
  };
}

/** The account's balance, and what it would buy. */
export function BalanceCard({ prices }: { prices: readonly ModelPriceView[] }) {
  const t = useTranslations("points");
  const { data: me } = useMe();
  return (
    <Card
      aria-labelledby="balance"
      className="min-h-59 px-5 py-4.5 md:max-lg:min-h-48.25 xl:min-h-48.25"
    >
      <h2 id="balance" className="font-normal text-muted text-sm tracking-normal">
        {t("availablePoints")}
      </h2>
      {me ? <Balance me={me} prices={prices} /> : <BalanceSkeleton />}
    </Card>
  );
}

function Balance({ me, prices }: { me: Me; prices: readonly ModelPriceView[] }) {
  const t = useTranslations("points");
  const words = useBuyingPower(me.balance.available, prices);
  const { available, held, openHolds } = me.balance;
  const whole =
    readPoints(available) + readPoints(held) + readPoints(me.statement.chargedThisMonth);
  return (
    <>
      <PointsText
        value={available}
        form="exact"
        className="mt-1 block break-all font-medium text-3xl tracking-tighter"
      />
      <p className="mt-1 min-h-5 text-muted text-sm">{words}</p>
      <div aria-hidden className="mt-3.5 mb-2.5 flex h-2 overflow-hidden rounded-full bg-wash">
        <span ref={widthOf(share(available, whole))} className="bg-ink" />
        <span ref={widthOf(share(held, whole))} className="bg-hatch-held" />
      </div>
      <dl className="flex flex-wrap justify-between gap-x-5 gap-y-1 text-sm">
        <Part name={t("available")} value={available} className="text-ink" />
        <Part
          name={openHolds > 0 ? t("heldBy", { count: openHolds }) : t("held")}
          value={held}
          className="text-held-ink"
        />
        <Part
          name={t("usedThisMonth")}
          value={me.statement.chargedThisMonth}
          className="text-muted"
        />
      </dl>
    </>
  );
}

function Part({ name, value, className }: { name: string; value: string; className: string }) {
  return (
    <div className={`flex items-baseline gap-1.5 ${className}`}>
      <dt>{name}</dt>
      <dd>
        <PointsText value={value} />
      </dd>
    </div>
  );
}

function BalanceSkeleton() {
  return (
    <>
      <Skeleton className="mt-2 mb-1.5 h-8 w-56" />
      <Skeleton className="mt-2 h-3.5 w-72 max-w-full" />
      <Skeleton className="mt-4 mb-3 h-2 w-full rounded-full" />
      <Skeleton className="mb-1 h-3.5 w-full" />
    </>
  );
}
