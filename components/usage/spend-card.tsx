"use client";

import type { UseQueryResult } from "@tanstack/react-query";
import { useTranslations } from "next-intl";
import { changeAddress } from "@/components/lists/address";
import { SpendFigures } from "@/components/requests/spend-figures";
import { Card, CardHead } from "@/components/ui/card";
import { Segmented } from "@/components/ui/segmented";
import { usageGroups } from "@/lib/contract/states";
import type { usageSummaryResponse } from "@/lib/contract/usage";
import type { UsageAddress } from "./use-usage-filter";

type Summary = ReturnType<(typeof usageSummaryResponse)["parse"]>;

/** The charges of the filtered requests by day, model or key. */
export function SpendCard({
  address,
  summary,
}: {
  address: UsageAddress | null;
  summary: UseQueryResult<Summary>;
}) {
  const t = useTranslations("usage");
  const group = address?.group ?? "day";
  const { data, error } = summary;
  const spend =
    data && address
      ? {
          ...address.filter,
          groups: data.groups.map((each) => ({ ...each, amount: each.charged })),
        }
      : undefined;
  return (
    <Card aria-labelledby="spend" className="mb-3.5" aria-busy={summary.isPlaceholderData}>
      <CardHead
        id="spend"
        title={t("spend")}
        note={t("spendNote", { zone: address?.filter.zone ?? "UTC" })}
      >
        <Segmented
          label={t("groupBy")}
          value={group}
          onChange={(next) => changeAddress({ group: next === "day" ? null : next })}
          options={usageGroups.map((value) => ({ value, label: t(`groups.${value}`) }))}
        />
      </CardHead>
      <SpendFigures
        spend={spend}
        group={group}
        error={error}
        onRetry={() => void summary.refetch()}
        labelledBy="spend"
      />
    </Card>
  );
}
