"use client";

import { QueryFailure } from "@/components/ui/query-failure";
import { Skeleton } from "@/components/ui/skeleton";
import { daysBetween } from "@/lib/client/days";
import type { UsageGrouping } from "@/lib/contract/states";
import { DayChart } from "./day-chart";
import type { ChartDay } from "./day-columns";
import { GroupTable, type SpendGroup } from "./group-table";

/** Adds a zero for every day of the range without charges. */
export function fillDays(
  from: string,
  to: string,
  groups: readonly Pick<SpendGroup, "id" | "amount" | "requests">[],
): ChartDay[] {
  const known = new Map(groups.map((group) => [group.id, group]));
  return daysBetween(from, to).map((day) => ({
    day,
    amount: known.get(day)?.amount ?? "0.000000",
    requests: known.get(day)?.requests ?? 0,
  }));
}

interface SpendFiguresProps {
  /** Undefined while loading. */
  spend: { from: string; to: string; groups: readonly SpendGroup[] } | undefined;
  group: UsageGrouping;
  error: Error | null;
  onRetry: () => void;
  /** The id of the heading that labels them. */
  labelledBy: string;
}

/** Charges by day, model or key: a chart of the days, and a table. */
export function SpendFigures({ spend, group, error, onRetry, labelledBy }: SpendFiguresProps) {
  if (spend === undefined && error) {
    return (
      <div className="px-5 pb-5">
        <QueryFailure error={error} onRetry={onRetry} />
      </div>
    );
  }
  if (spend === undefined) return <ChartSkeleton group={group} />;
  return (
    <>
      {group === "day" ? <DayChart days={fillDays(spend.from, spend.to, spend.groups)} /> : null}
      <GroupTable group={group} groups={spend.groups} labelledBy={labelledBy} />
    </>
  );
}

/** A placeholder for the chart of days, or for the table's head and first row. */
function ChartSkeleton({ group }: { group: UsageGrouping }) {
  if (group !== "day") {
    return (
      <div className="grid min-h-20.75 content-center gap-4 border-t px-5 max-sm:min-h-28.75">
        <Skeleton className="h-3.5 w-40" />
        <Skeleton className="h-3.5 w-full" />
      </div>
    );
  }
  return (
    <div className="px-5 pb-5">
      <Skeleton className="mt-2 mb-4 h-46.5 w-full" />
      <Skeleton className="h-4 w-48" />
    </div>
  );
}
