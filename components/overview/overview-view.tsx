"use client";

import { useTranslations } from "next-intl";
import type { ReactNode } from "react";
import { After } from "@/components/ui/after";
import { ForRole } from "@/components/ui/for-role";
import { QueryFailure } from "@/components/ui/query-failure";
import { useMe } from "@/lib/client/account";
import { useKeys } from "@/lib/client/api-keys";
import { readPoints } from "@/lib/client/points-display";
import type { ModelPriceView } from "@/lib/contract/prices";
import { FirstAnswer } from "./first-answer";
import { FirstSteps } from "./first-steps";
import { LastRequests } from "./last-requests";
import { LatestResults } from "./latest-results";
import { PriceChanges } from "./price-changes";
import { RunningCard } from "./running-card";
import { SpendTrend } from "./spend-trend";

interface OverviewViewProps {
  /** The account's balance in words. */
  balance: ReactNode;
  /** Plan, payments and invoices, for who may not read the usage. */
  money: ReactNode;
  /** The keys that soon stop working. */
  keys: ReactNode;
  prices: readonly ModelPriceView[];
  baseUrl: string;
  /** Whether the account had no successful request when the page was rendered. */
  wasNew: boolean;
}

export function OverviewView({ balance, money, keys, prices, baseUrl, wasNew }: OverviewViewProps) {
  const t = useTranslations("overview");
  const { data: me, error, refetch } = useMe();
  const isNew = me === undefined ? wasNew : readPoints(me.statement.charged) === 0n;
  const keysQuery = useKeys();
  return (
    <>
      <h1 className="sr-only">{t("title")}</h1>
      <div className="grid grid-cols-1 gap-4 xl:grid-cols-[minmax(0,1fr)_21.25rem]">
        <div className="grid min-w-0 grid-cols-1 content-start gap-4">
          {error && !me ? <QueryFailure error={error} onRetry={() => void refetch()} /> : balance}
          <ForRole needs="makeKeys">{isNew ? <FirstAnswer baseUrl={baseUrl} /> : null}</ForRole>
          <ForRole needs="readUsage">
            <SpendTrend />
            <LatestResults />
            <LastRequests />
          </ForRole>
          {money}
        </div>
        <After
          of={[{ data: me, error }, keysQuery]}
          className="grid min-w-0 grid-cols-1 content-start gap-4 max-xl:md:grid-cols-2"
        >
          <ForRole needs="readUsage">
            <RunningCard openHolds={me?.balance.openHolds} />
          </ForRole>
          <ForRole needs="readKeys">{keys}</ForRole>
          <ForRole needs="makeKeys">{me ? <FirstSteps me={me} isNew={isNew} /> : null}</ForRole>
          <PriceChanges prices={prices} />
        </After>
      </div>
    </>
  );
}
