"use client";

import { useQuery } from "@tanstack/react-query";
import { useLocale, useTranslations } from "next-intl";
import { useState } from "react";
import { ListCard } from "@/components/lists/list-card";
import { Button } from "@/components/ui/button";
import { PageHead } from "@/components/ui/page-head";
import { PageSkeleton } from "@/components/ui/page-skeleton";
import { QueryFailure } from "@/components/ui/query-failure";
import { ColumnHead, HiddenHead, NumberHead } from "@/components/ui/table";
import { useSorted } from "@/components/ui/use-sorted";
import { decimalMoneyText } from "@/lib/client/money-text";
import { operatorPricesQuery } from "@/lib/client/operator-prices";
import { readPoints } from "@/lib/client/points-display";
import { PriceRow } from "./price-row";
import { UpstreamPriceDialog } from "./upstream-price-dialog";
import { VersionsCard } from "./versions-card";

/** Each model's current and planned prices, with their margins. */
export function OperatorPricesView() {
  const t = useTranslations("operator.prices");
  const locale = useLocale();
  const { data, error, isPending, refetch } = useQuery(operatorPricesQuery);
  const [isPointOpen, setIsPointOpen] = useState(false);
  const { rows, sort } = useSorted(data?.prices ?? [], {
    model: ({ model }) => model,
    price: ({ present }) => present && readPoints(present.output),
    cost: ({ upstream }) => upstream && readPoints(upstream.output),
    days30: ({ days30 }) => readPoints(days30.charged),
  });
  if (isPending) return <PageSkeleton />;
  const pointPrice = data?.pointPrice;
  return (
    <>
      <PageHead title={t("title")} note={t("note")} />
      {error && !data ? <QueryFailure error={error} onRetry={() => void refetch()} /> : null}
      {data ? (
        <>
          <ListCard
            id="prices"
            isWide
            title={t("present")}
            note={
              pointPrice
                ? t("pointPrice", {
                    amount: decimalMoneyText(pointPrice.amount, pointPrice.currency, locale),
                  })
                : t("noPointPrice")
            }
            aside={<Button onClick={() => setIsPointOpen(true)}>{t("setPointPrice")}</Button>}
            columns={
              <>
                <ColumnHead {...sort("model")}>{t("model")}</ColumnHead>
                <NumberHead {...sort("price")}>{t("price")}</NumberHead>
                <NumberHead {...sort("cost")}>{t("cost")}</NumberHead>
                <ColumnHead isNumber>{t("margin")}</ColumnHead>
                <NumberHead {...sort("days30")}>{t("days30")}</NumberHead>
                <HiddenHead>{t("actions")}</HiddenHead>
              </>
            }
            rows={rows.map((price) => <PriceRow key={price.model} price={price} />)}
          />
          <UpstreamPriceDialog
            subject="point"
            present={
              pointPrice
                ? { currency: pointPrice.currency, input: null, output: pointPrice.amount }
                : null
            }
            isOpen={isPointOpen}
            onClose={() => setIsPointOpen(false)}
          />
        </>
      ) : null}
      <p className="mt-3 mb-3.5 max-w-[80ch] text-muted text-sm">{t("marginNote")}</p>
      <VersionsCard />
    </>
  );
}
