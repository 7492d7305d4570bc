import { useFormatter, useLocale, useTranslations } from "next-intl";
import type { ReactNode } from "react";
import { Card } from "@/components/ui/card";
import { Link } from "@/components/ui/link";
import { PointsText } from "@/components/ui/points-text";
import { Skeleton } from "@/components/ui/skeleton";
import { useNow } from "@/lib/client/now";
import { relativeTime } from "@/lib/client/times";
import type { OperatorOverview } from "@/lib/contract/operator";

/** The sums of all accounts at this moment; each leads to its page. */
export function Facts({ facts }: { facts: OperatorOverview | undefined }) {
  const t = useTranslations("operator.overview");
  const format = useFormatter();
  const locale = useLocale();
  const now = useNow();
  const oldest = facts?.oldestHoldAt ?? null;
  return (
    <Card
      aria-label={t("now")}
      className="grid grid-cols-2 gap-px overflow-hidden bg-line lg:grid-cols-5"
    >
      <Fact href="/admin/money" name={t("available")}>
        {facts && <PointsText value={facts.available} />}
      </Fact>
      <Fact href="/admin/tasks" name={t("held")}>
        {facts && <PointsText value={facts.held} className="text-held-ink" />}
      </Fact>
      <Fact
        href="/admin/requests?status=held"
        name={t("openHolds")}
        note={oldest === null ? null : t("oldest", { time: relativeTime(oldest, now, locale) })}
      >
        {facts && format.number(facts.openHolds)}
      </Fact>
      <Fact href="/admin/accounts" name={t("accounts")}>
        {facts && format.number(facts.accounts)}
      </Fact>
      <Fact
        href="/admin/money"
        name={t("lost")}
        note={facts && facts.day.losses > 0 ? t("losses", { count: facts.day.losses }) : null}
        className="max-lg:col-span-2"
      >
        {facts && <PointsText value={facts.day.lost} />}
      </Fact>
    </Card>
  );
}

interface FactProps {
  href: string;
  name: string;
  note?: ReactNode;
  className?: string;
  children: ReactNode;
}

function Fact({ href, name, note, className = "", children }: FactProps) {
  return (
    <Link href={href} className={`bg-card px-4 py-3 hover:bg-wash ${className}`}>
      <span className="block text-muted text-sm">{name}</span>
      <span className="num flex min-h-7 flex-wrap items-baseline gap-x-2 text-lg">
        {children ?? <Skeleton className="h-5 w-24" />}
        {note ? <span className="text-muted text-sm">{note}</span> : null}
      </span>
    </Link>
  );
}
