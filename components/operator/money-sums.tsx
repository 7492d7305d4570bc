import { useFormatter } from "next-intl";
import { Card, CardHead } from "@/components/ui/card";
import { PointsText } from "@/components/ui/points-text";
import { Skeleton } from "@/components/ui/skeleton";

interface SumCardProps {
  id: string;
  title: string;
  note: string;
  empty: string;
  /** Undefined while loading. */
  rows:
    | readonly { readonly name: string; readonly count: number; readonly points: string }[]
    | undefined;
}

/** A list of sums with their counts. */
export function SumCard({ id, title, note, empty, rows }: SumCardProps) {
  const format = useFormatter();
  return (
    <Card aria-labelledby={id} className="min-h-40">
      <CardHead id={id} title={title} note={note} />
      <div className="border-t">
        {rows === undefined ? <Skeleton className="m-5 h-12" /> : null}
        {rows?.length === 0 ? <p className="px-5 py-5 text-muted">{empty}</p> : null}
        <dl className="divide-y">
          {rows?.map(({ name, count, points }) => (
            <div key={name} className="flex items-baseline justify-between gap-4 px-5 py-2.5">
              <dt className="min-w-0 wrap-anywhere">
                {name} <span className="num text-muted text-sm">{format.number(count)}</span>
              </dt>
              <dd>
                <PointsText value={points} />
              </dd>
            </div>
          ))}
        </dl>
      </div>
    </Card>
  );
}
