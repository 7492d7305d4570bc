"use client";

import { Download } from "lucide-react";
import { useTranslations } from "next-intl";
import { After } from "@/components/ui/after";
import { Button } from "@/components/ui/button";
import { PageHead } from "@/components/ui/page-head";
import { QueryFailure } from "@/components/ui/query-failure";
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
  const measure = address?.measure;
  const times = measure === "latency" || measure === "firstToken" ? measure : "no";
  const chart = useUsageChart(address?.filter ?? null, address?.group ?? "model", times);
  return (
    <>
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
      <ChartCard address={address} query={chart} />
      {summary.error && !summary.data && !chart.error ? (
        <div className="mb-3.5">
          <QueryFailure error={summary.error} onRetry={() => void summary.refetch()} />
        </div>
      ) : null}
      <After of={[chart, summary]}>
        <RequestsCard
          filter={filter}
          total={summary.data?.total ?? (summary.error ? "unknown" : undefined)}
        />
      </After>
    </>
  );
}
