"use client";

import Link from "next/link";
import { useTranslations } from "next-intl";
import { useState } from "react";
import { QueryFailure } from "@/components/shell/query-failure";
import { Card, CardHead } from "@/components/ui/card";
import { Segmented } from "@/components/ui/segmented";
import { DayChart } from "@/components/usage/day-chart";
import { GroupTable } from "@/components/usage/group-table";
import { ChartSkeleton, fillDays } from "@/components/usage/spend-card";
import { addDays } from "@/lib/client/days";
import { useSpend } from "@/lib/client/usage";
import { type UsageGrouping, usageGroups } from "@/lib/contract/states";

const ranges = ["7", "30"] as const;

/** What was charged lately, by day, model or key. */
export function RecentSpend() {
  const t = useTranslations("overview");
  const usage = useTranslations("usage");
  const [days, setDays] = useState<(typeof ranges)[number]>("7");
  const [group, setGroup] = useState<UsageGrouping>("day");
  const { data, error, refetch, isPlaceholderData } = useSpend(days, group);
  return (
    <Card aria-labelledby="spend" className="mt-3.5" aria-busy={isPlaceholderData}>
      <CardHead id="spend" title={t("spend")} note={t("spendNote")}>
        <Segmented
          label={usage("filter.range")}
          value={days}
          onChange={setDays}
          options={ranges.map((value) => ({ value, label: usage("filter.days", { count: Number(value) }) }))}
        />
        <Segmented
          label={usage("groupBy")}
          value={group}
          onChange={setGroup}
          options={usageGroups.map((value) => ({ value, label: usage(`groups.${value}`) }))}
        />
      </CardHead>
      {error && !data ? (
        <div className="px-5 pb-5">
          <QueryFailure error={error} onRetry={() => void refetch()} />
        </div>
      ) : null}
      {data && group === "day" && !isPlaceholderData ? (
        <DayChart days={fillDays(addDays(data.today, 1 - Number(days)), data.today, data.groups)} />
      ) : null}
      {data && !isPlaceholderData ? <GroupTable group={group} groups={data.groups} labelledBy="spend" /> : null}
      {(data && !isPlaceholderData) || error ? null : <ChartSkeleton group={group} />}
      <p className="border-t px-5 py-2.5 text-sm">
        <Link href="/usage" className="rounded-sm underline decoration-line-strong underline-offset-3 hover:decoration-ink">
          {t("allUsage")}
        </Link>
      </p>
    </Card>
  );
}
