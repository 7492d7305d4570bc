"use client";

import { Download } from "lucide-react";
import { useTranslations } from "next-intl";
import { DrawerRoom } from "@/components/lists/drawer-room";
import { After } from "@/components/ui/after";
import { Button } from "@/components/ui/button";
import { PageHead } from "@/components/ui/page-head";
import { QueryFailure } from "@/components/ui/query-failure";
import { useMembers } from "@/lib/client/members";
import { csvAddress, useUsageChart, useUsageSummary } from "@/lib/client/usage";
import { ChartCard } from "./chart-card";
import { RequestsCard } from "./requests-card";
import { UsageFilters } from "./usage-filters";
import { useUsageAddress } from "./use-usage-filter";

export function UsageView() {
  const t = useTranslations("usage");
  const address = useUsageAddress();
  const filter = address?.rows ?? null;
  const summary = useUsageSummary(filter);
  // There is a filter by member where the account has several.
  const members = useMembers();
  const measure = address?.measure;
  const times = measure === "latency" || measure === "firstToken" ? measure : "no";
  const chart = useUsageChart(address?.filter ?? null, address?.group ?? "model", times);
  return (
    <>
      <DrawerRoom name="request" />
      <PageHead title={t("title")} note={t("note")}>
        {filter ? (
          <Button asChild>
            <a href={csvAddress(filter)} download>
              <Download aria-hidden />
              {t("csv")}
            </a>
          </Button>
        ) : (
          <Button disabled>
            <Download aria-hidden />
            {t("csv")}
          </Button>
        )}
      </PageHead>
      <UsageFilters address={address} />
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
          total={summary.data?.total ?? (summary.error ? "unknown" : undefined)}
        />
      </After>
    </>
  );
}
