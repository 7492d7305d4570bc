import { useTranslations } from "next-intl";
import type { ReactNode } from "react";
import { Card, CardHead } from "@/components/ui/card";
import { PointsText } from "@/components/ui/points-text";
import { Skeleton } from "@/components/ui/skeleton";

type Counted = "entries" | "requests" | "accounts";

interface SumCardProps {
  id: string;
  title: string;
  note: ReactNode;
  empty: string;
  /** What is counted, unless a row says so itself. */
  of: Counted;
  /** Undefined while loading. */
  rows:
    | readonly {
        readonly name: string;
        readonly count: number;
        readonly points: string;
        readonly of?: Counted;
        readonly isSigned?: boolean;
      }[]
    | undefined;
}

/** A list of sums with their counts. */
export function SumCard({ id, title, note, empty, of, rows }: SumCardProps) {
  const t = useTranslations("operator.money.counts");
  return (
    <Card aria-labelledby={id} className="min-h-40">
      <CardHead id={id} title={title} note={note} />
      <div className="border-t">
        {rows === undefined ? <Skeleton className="m-5 h-12" /> : null}
        {rows?.length === 0 ? <p className="px-5 py-5 text-muted">{empty}</p> : null}
        <dl className="divide-y">
          {rows?.map(({ name, count, points, of: own = of, isSigned }) => (
            <div key={name} className="flex items-baseline justify-between gap-4 px-5 py-2.5">
              <dt className="min-w-0 wrap-anywhere">
                {name} <span className="num text-muted text-sm">{t(own, { count })}</span>
              </dt>
              <dd>
                <PointsText value={points} isSigned={isSigned} />
              </dd>
            </div>
          ))}
        </dl>
      </div>
    </Card>
  );
}
