"use client";

import { useQuery } from "@tanstack/react-query";
import { useSearchParams } from "next/navigation";
import { useLocale, useTranslations } from "next-intl";
import { changeAddress } from "@/components/lists/address";
import { After } from "@/components/ui/after";
import { cn } from "@/components/ui/class-names";
import { QueryFailure } from "@/components/ui/query-failure";
import { Segmented } from "@/components/ui/segmented";
import { operatorOverviewQuery, useTrends } from "@/lib/client/operator";
import { channelsQuery } from "@/lib/client/operator-channels";
import { operatorPricesQuery } from "@/lib/client/operator-prices";
import { rowTime } from "@/lib/client/times";
import { trendRanges } from "@/lib/contract/states";
import { UnservedNotice } from "../unserved-notice";
import { ChannelHealthCard } from "./channel-health-card";
import { ComingPricesCard } from "./coming-prices-card";
import { Facts } from "./facts";
import { MarginCard } from "./margin-card";
import { NeedTiles } from "./need-tiles";
import { TrendTiles } from "./trend-tiles";

/** What needs a person, how requests go, and what is earned. */
export function OperatorOverviewView() {
  const t = useTranslations("operator.overview");
  const search = useSearchParams();
  const range = trendRanges.find((each) => each === search.get("range")) ?? "day";
  const overview = useQuery(operatorOverviewQuery);
  const channels = useQuery(channelsQuery);
  const prices = useQuery(operatorPricesQuery);
  const trends = useTrends(range);
  const failed = [overview, channels, prices, trends].find(({ data, error }) => error && !data);
  return (
    <>
      <div className="mb-4 flex flex-wrap items-center justify-between gap-x-5 gap-y-3">
        <h1 className="text-2xl">{t("title")}</h1>
        <div className="flex flex-wrap items-center gap-x-4 gap-y-2">
          <Updated at={overview.dataUpdatedAt} />
          <Segmented
            label={t("range")}
            value={range}
            onChange={(next) => changeAddress({ range: next === "day" ? null : next })}
            options={trendRanges.map((value) => ({ value, label: t(`ranges.${value}`) }))}
          />
        </div>
      </div>
      <UnservedNotice unserved={overview.data?.unserved ?? []} />
      {failed?.error ? (
        <div className="mb-3.5">
          <QueryFailure error={failed.error} onRetry={() => void failed.refetch()} />
        </div>
      ) : null}
      <After of={[overview, channels, prices]}>
        <div className="grid grid-cols-1 gap-3.5">
          <NeedTiles overview={overview.data} channels={channels.data?.channels} />
          <TrendTiles view={trends.isPlaceholderData ? undefined : trends.data} range={range} />
          <Facts facts={overview.data} />
          <div className="grid grid-cols-1 items-start gap-3.5 xl:grid-cols-[minmax(0,1fr)_25rem]">
            <ChannelHealthCard channels={channels.data?.channels} health={overview.data?.health} />
            <div className="grid gap-3.5 max-xl:md:grid-cols-2">
              <MarginCard
                prices={prices.data?.prices}
                currency={prices.data?.pointPrice?.currency ?? null}
              />
              <ComingPricesCard prices={prices.data?.prices} />
            </div>
          </div>
        </div>
      </After>
    </>
  );
}

/** When the figures were read. */
function Updated({ at }: { at: number }) {
  const t = useTranslations("operator.overview");
  const locale = useLocale();
  const time = at === 0 ? "" : rowTime(new Date(at).toISOString(), at, locale);
  return (
    <span className={cn("text-muted text-sm", at === 0 && "invisible")}>
      {t("updated", { time })}
    </span>
  );
}
