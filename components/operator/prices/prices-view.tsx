"use client";

import { useQuery } from "@tanstack/react-query";
import { useTranslations } from "next-intl";
import { PageHead } from "@/components/ui/page-head";
import { PageSkeleton } from "@/components/ui/page-skeleton";
import { QueryFailure } from "@/components/ui/query-failure";
import { operatorPricesQuery } from "@/lib/client/operator-prices";
import { PricesCard } from "./prices-card";
import { VersionsCard } from "./versions-card";

/** Each model's current and planned prices, with their margins. */
export function OperatorPricesView() {
  const t = useTranslations("operator.prices");
  const { data, error, isPending, refetch } = useQuery(operatorPricesQuery);
  if (isPending) return <PageSkeleton />;
  return (
    <>
      <PageHead title={t("title")} note={t("note")} />
      {data ? (
        <PricesCard {...data} />
      ) : (
        <QueryFailure error={error} onRetry={() => void refetch()} />
      )}
      <p className="mt-3 mb-3.5 max-w-[80ch] text-muted text-sm">{t("marginNote")}</p>
      <VersionsCard />
    </>
  );
}
