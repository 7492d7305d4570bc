import { useTranslations } from "next-intl";
import { PointsText } from "@/components/ui/points-text";
import { Skeleton } from "@/components/ui/skeleton";
import { readPoints } from "@/lib/client/points-display";
import type { Me } from "@/lib/contract/me";

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

/** As high as the amounts, which take three lines on a phone. */
const amounts = "min-h-17 sm:min-h-5";

/** The bar's place while the amounts are on their way. */
export function BalanceBarSkeleton() {
  return (
    <>
      <Skeleton className="mt-3.5 mb-2.5 h-2 w-full rounded-full" />
      <div className={amounts} />
    </>
  );
}

/** What is available, held, and was used this month, as parts of a bar with their amounts. */
export function BalanceBar({ me }: { me: Me }) {
  const t = useTranslations("points");
  const { available, held, openHolds } = me.balance;
  const whole =
    readPoints(available) + readPoints(held) + readPoints(me.statement.chargedThisMonth);
  return (
    <>
      <div aria-hidden className="mt-3.5 mb-2.5 flex h-2 overflow-hidden rounded-full bg-wash">
        <span ref={widthOf(share(available, whole))} className="bg-ink" />
        <span ref={widthOf(share(held, whole))} className="bg-hatch-held" />
      </div>
      <dl
        className={`flex flex-wrap content-start justify-between gap-x-5 gap-y-1 text-sm ${amounts}`}
      >
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
