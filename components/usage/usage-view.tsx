"use client";

import { Radio } from "lucide-react";
import { useTranslations } from "next-intl";
import { changeAddress } from "@/components/lists/address";
import { DrawerRoom } from "@/components/lists/drawer-room";
import { After } from "@/components/ui/after";
import { Button } from "@/components/ui/button";
import { cn } from "@/components/ui/class-names";
import { PageHead } from "@/components/ui/page-head";
import { QueryFailure } from "@/components/ui/query-failure";
import { SaveCsv } from "@/components/ui/save-csv";
import { useMembers } from "@/lib/client/members";
import { csvAddress, useUsageChart, useUsageSummary } from "@/lib/client/usage";
import { ChartCard } from "./chart-card";
import { RequestsCard } from "./requests-card";
import { SavedViews } from "./saved-views";
import { TypedFilter } from "./typed-filter";
import { UsageFilters } from "./usage-filters";
import { useUsageAddress } from "./use-usage-filter";

export function UsageView() {
  const t = useTranslations("usage");
  const address = useUsageAddress();
  const filter = address?.rows ?? null;
  const isLive = address?.isLive ?? false;
  const summary = useUsageSummary(filter, isLive);
  // There is a filter by member where the account has several.
  const members = useMembers();
  const measure = address?.measure;
  const times = measure === "latency" || measure === "firstToken" ? measure : "no";
  const chart = useUsageChart(
    address?.filter ?? null,
    { group: address?.group ?? "model", thenBy: address?.thenBy, groupTag: address?.groupTag },
    times,
  );
  return (
    <>
      <DrawerRoom name="request" />
      <PageHead title={t("title")} note={t("note")}>
        <div className="flex flex-wrap gap-2">
          <Button
            aria-pressed={isLive}
            disabled={address === null}
            onClick={() => changeAddress({ live: isLive ? null : "1" }, "replace")}
          >
            <Radio aria-hidden className={cn(isLive && "animate-pulse-soft text-ok-ink")} />
            {t("live")}
          </Button>
          <SavedViews />
          <SaveCsv href={filter ? csvAddress(filter) : null} />
        </div>
      </PageHead>
      <UsageFilters address={address} />
      <TypedFilter address={address} />
      <After of={[members]}>
        <ChartCard address={address} query={chart} />
      </After>
      {summary.error && !summary.data && !chart.error ? (
        <div className="mb-3.5">
          <QueryFailure error={summary.error} onRetry={() => void summary.refetch()} />
        </div>
      ) : null}
      <After of={[members, chart, summary]}>
        <RequestsCard
          filter={filter}
          isLive={isLive}
          total={summary.data?.total ?? (summary.error ? "unknown" : undefined)}
        />
      </After>
    </>
  );
}
