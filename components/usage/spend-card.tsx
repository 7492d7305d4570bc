"use client";

import type { UseQueryResult } from "@tanstack/react-query";
import { useTranslations } from "next-intl";
import { QueryFailure } from "@/components/shell/query-failure";
import { Card, CardHead } from "@/components/ui/card";
import { Segmented } from "@/components/ui/segmented";
import { Skeleton } from "@/components/ui/skeleton";
import { daysBetween } from "@/lib/client/days";
import { type UsageGrouping, usageGroups } from "@/lib/contract/states";
import type { UsageGroupView, usageSummaryResponse } from "@/lib/contract/usage";
import { type ChartDay, DayChart } from "./day-chart";
import { GroupTable } from "./group-table";
import { changeUsageAddress, type UsageAddress } from "./use-usage-filter";

type Summary = ReturnType<(typeof usageSummaryResponse)["parse"]>;

/** A figure for every day of the range, also those on which nothing was done. */
export function fillDays(from: string, to: string, groups: readonly { id: string; amount: string; requests: number }[]): ChartDay[] {
  const known = new Map(groups.map((group) => [group.id, group]));
  return daysBetween(from, to).map((day) => ({
    day,
    amount: known.get(day)?.amount ?? "0.000000",
    requests: known.get(day)?.requests ?? 0,
  }));
}

const withAmount = (groups: readonly UsageGroupView[]) => groups.map((group) => ({ ...group, amount: group.charged }));

/** What the filtered requests cost by day, model or key. */
export function SpendCard({ address, summary }: { address: UsageAddress | null; summary: UseQueryResult<Summary> }) {
  const t = useTranslations("usage");
  const group = address?.group ?? "day";
  const { data, error } = summary;
  return (
    <Card aria-labelledby="spend" className="mb-3.5" aria-busy={summary.isPlaceholderData}>
      <CardHead id="spend" title={t("spend")} note={t("spendNote", { zone: address?.filter.zone ?? "UTC" })}>
        <Segmented
          label={t("groupBy")}
          value={group}
          onChange={(next) => changeUsageAddress({ group: next === "day" ? null : next })}
          options={usageGroups.map((value) => ({ value, label: t(`groups.${value}`) }))}
        />
      </CardHead>
      {error && !data ? (
        <div className="px-5 pb-5">
          <QueryFailure error={error} onRetry={() => void summary.refetch()} />
        </div>
      ) : null}
      {data && address ? (
        <>
          {group === "day" ? <DayChart days={fillDays(address.filter.from, address.filter.to, withAmount(data.groups))} /> : null}
          <GroupTable group={group} groups={withAmount(data.groups)} labelledBy="spend" />
        </>
      ) : null}
      {!data && !error ? <ChartSkeleton group={group} /> : null}
    </Card>
  );
}

/** In the shape of the chart of days, or of a table's head and first row. */
export function ChartSkeleton({ group }: { group: UsageGrouping }) {
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
