import { Check, TriangleAlert } from "lucide-react";
import { useTranslations } from "next-intl";
import { Card } from "@/components/ui/card";
import { PointsText } from "@/components/ui/points-text";
import { Skeleton } from "@/components/ui/skeleton";
import { readPoints } from "@/lib/client/points-display";
import type { Me } from "@/lib/contract/me";
import { formatPoints } from "@/lib/money/points";
import { RangeStatementDialog } from "./range-statement-dialog";

/** The account's balance as a sum: credits, charges, holds and what is left. */
export function StatementCard({ me }: { me: Me | undefined }) {
  const t = useTranslations("points");
  return (
    <Card aria-labelledby="statement" className="min-h-54 px-5 py-4.5">
      <div className="flex items-center justify-between gap-3">
        <h2 id="statement" className="font-normal text-muted text-sm tracking-normal">
          {t("statement")}
        </h2>
        <RangeStatementDialog />
      </div>
      {me ? <Statement me={me} /> : <StatementSkeleton />}
    </Card>
  );
}

function Statement({ me }: { me: Me }) {
  const t = useTranslations("points");
  const { toppedUp, charged, takenBack } = me.statement;
  const { available, held } = me.balance;
  const isEven =
    readPoints(toppedUp) - readPoints(takenBack) - readPoints(charged) - readPoints(held) ===
    readPoints(available);
  return (
    <>
      <p className="mt-1.5 mb-3 flex items-center gap-2 font-medium">
        {isEven ? (
          <Check aria-hidden className="size-4 text-ok-ink" />
        ) : (
          <TriangleAlert aria-hidden className="size-4 text-held-ink" />
        )}
        {isEven ? t("addsUp") : t("beingCounted")}
      </p>
      <dl className="grid gap-0.5 text-muted text-sm">
        <Line name={t("toppedUp")} value={toppedUp} isSigned />
        {readPoints(takenBack) > 0n ? (
          <Line name={t("takenBackLine")} value={formatPoints(-readPoints(takenBack))} />
        ) : null}
        <Line name={t("charged")} value={formatPoints(-readPoints(charged))} />
        <Line name={t("held")} value={formatPoints(-readPoints(held))} />
        <div className="mt-1.5 flex justify-between gap-3 border-t pt-1.5 text-ink">
          <dt>{t("available")}</dt>
          <dd>
            <PointsText value={available} form="exact" />
          </dd>
        </div>
      </dl>
    </>
  );
}

function Line({ name, value, isSigned }: { name: string; value: string; isSigned?: boolean }) {
  return (
    <div className="flex justify-between gap-3">
      <dt>{name}</dt>
      <dd>
        <PointsText value={value} form="exact" isSigned={isSigned} />
      </dd>
    </div>
  );
}

function StatementSkeleton() {
  return (
    <div className="grid gap-2.5 pt-2.5">
      <Skeleton className="mb-1 h-4 w-44" />
      <Skeleton className="h-3 w-full" />
      <Skeleton className="h-3 w-full" />
      <Skeleton className="h-3 w-full" />
      <Skeleton className="h-3.5 w-full" />
    </div>
  );
}
