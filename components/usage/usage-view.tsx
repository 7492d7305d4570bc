"use client";

import { Download } from "lucide-react";
import { useTranslations } from "next-intl";
import { changeAddress } from "@/components/lists/address";
import { After } from "@/components/ui/after";
import { Button } from "@/components/ui/button";
import { PageHead } from "@/components/ui/page-head";
import { csvAddress, useUsageSummary } from "@/lib/client/usage";
import { USAGE_CSV_ROWS_MAX } from "@/lib/contract/limits";
import { RequestDialog } from "./request-dialog";
import { RequestsCard } from "./requests-card";
import { SpendCard } from "./spend-card";
import { UsageFilters } from "./usage-filters";
import { useUsageAddress } from "./use-usage-filter";

export function UsageView() {
  const t = useTranslations("usage");
  const address = useUsageAddress();
  const filter = address?.filter ?? null;
  const summary = useUsageSummary(filter, address?.group ?? "day");
  const isTooLong = (summary.data?.total.requests ?? 0) > USAGE_CSV_ROWS_MAX;
  return (
    <>
      <PageHead title={t("title")} note={t("note")}>
        {filter && !isTooLong ? (
          <Button asChild>
            <a href={csvAddress(filter)} download>
              <Download aria-hidden />
              {t("csv")}
            </a>
          </Button>
        ) : (
          <Button disabled title={isTooLong ? t("csvTooLong") : undefined}>
            <Download aria-hidden />
            {t("csv")}
          </Button>
        )}
      </PageHead>
      <UsageFilters address={address} />
      <SpendCard address={address} summary={summary} />
      <After of={[summary]}>
        <RequestsCard
          filter={filter}
          total={summary.data?.total ?? (summary.error ? "unknown" : undefined)}
        />
      </After>
      {address?.requestId ? (
        <RequestDialog id={address.requestId} onClose={() => changeAddress({ request: null })} />
      ) : null}
    </>
  );
}
