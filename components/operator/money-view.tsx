"use client";

import { useLocale, useTranslations } from "next-intl";
import { useState } from "react";
import { After } from "@/components/ui/after";
import { Card, CardHead } from "@/components/ui/card";
import { PageHead } from "@/components/ui/page-head";
import { QueryFailure } from "@/components/ui/query-failure";
import { SaveCsv } from "@/components/ui/save-csv";
import { Segmented } from "@/components/ui/segmented";
import { Skeleton } from "@/components/ui/skeleton";
import { moneyText } from "@/lib/client/money-text";
import { moneyCsvAddress, useMoney } from "@/lib/client/operator-lists";
import type { MoneyView as Money } from "@/lib/contract/operator-money";
import { AuditCard } from "./money-audit";
import { CostCard } from "./money-cost";
import { MoneyDays } from "./money-days";
import { SumCards } from "./money-sum-cards";

const ranges = ["7", "30", "90", "365"] as const;

/** Revenue, liabilities, losses and the ledger's audit. */
export function MoneyView() {
  const t = useTranslations("operator.money");
  const [days, setDays] = useState<(typeof ranges)[number]>("30");
  const { data, error, refetch, isPlaceholderData } = useMoney(days);
  return (
    <>
      <PageHead title={t("title")} note={t("note")}>
        <div className="flex flex-wrap gap-2">
          <Segmented
            label={t("range")}
            value={days}
            onChange={setDays}
            options={ranges.map((value) => ({ value, label: t("days", { count: Number(value) }) }))}
          />
          <SaveCsv href={moneyCsvAddress(days)} />
        </div>
      </PageHead>
      {error && !data ? <QueryFailure error={error} onRetry={() => void refetch()} /> : null}
      {error && !data ? null : (
        <div className="grid grid-cols-1 gap-3.5">
          <div className="grid grid-cols-1 gap-3.5 lg:grid-cols-2">
            <RevenueCard money={data} />
            <After of={[{ data, error }]} className="contents">
              <AuditCard money={data} />
            </After>
          </div>
          <After of={[{ data, error }]} className="grid grid-cols-1 gap-3.5">
            <MoneyDays money={isPlaceholderData ? undefined : data} days={Number(days)} />
            <SumCards money={data} />
            <CostCard money={data} />
          </After>
        </div>
      )}
    </>
  );
}

function RevenueCard({ money }: { money: Money | undefined }) {
  const t = useTranslations("operator.money");
  const locale = useLocale();
  return (
    <Card aria-labelledby="revenue" className="min-h-44">
      <CardHead id="revenue" title={t("revenue")} note={t("revenueNote")} />
      <div className="border-t px-5 py-4">
        {money === undefined ? <Skeleton className="h-16 w-full" /> : null}
        {money?.revenue.length === 0 ? <p className="text-muted">{t("noRevenue")}</p> : null}
        <dl className="grid gap-4">
          {money?.revenue.map(({ currency, payments, amount, refunded, disputed }) => (
            <div key={currency}>
              <dt className="text-muted text-sm">
                {t("payments", { currency: currency.toUpperCase(), count: payments })}
              </dt>
              <dd className="num text-2xl">
                {moneyText(amount - refunded - disputed, currency, locale)}
              </dd>
              {refunded + disputed > 0 ? (
                <dd className="text-muted text-sm">
                  {t("lessThan", {
                    amount: moneyText(amount, currency, locale),
                    refunded: moneyText(refunded, currency, locale),
                    disputed: moneyText(disputed, currency, locale),
                  })}
                </dd>
              ) : null}
            </div>
          ))}
        </dl>
      </div>
    </Card>
  );
}
