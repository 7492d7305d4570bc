"use client";

import { useTranslations } from "next-intl";
import { BalanceCard } from "@/components/points/balance-card";
import { PageHead } from "@/components/shell/page-head";
import { QueryFailure } from "@/components/shell/query-failure";
import { useMe } from "@/lib/client/account";
import { readPoints } from "@/lib/client/points-display";
import type { ModelPriceView } from "@/lib/contract/prices";
import { FirstSteps } from "./first-steps";
import { RecentSpend } from "./recent-spend";
import { RunningCard } from "./running-card";

interface OverviewViewProps {
  prices: readonly ModelPriceView[];
  baseUrl: string;
  /** Whether the first request was still to come when the page was made. */
  wasNew: boolean;
}

export function OverviewView({ prices, baseUrl, wasNew }: OverviewViewProps) {
  const t = useTranslations("overview");
  const { data: me, error, refetch } = useMe();
  const isNew = me === undefined ? wasNew : readPoints(me.statement.charged) === 0n;
  return (
    <>
      <PageHead title={t("title")} note={t("note")} />
      {error && !me ? (
        <QueryFailure error={error} onRetry={() => void refetch()} />
      ) : (
        <div className="grid grid-cols-1 gap-3.5 lg:grid-cols-2">
          <BalanceCard me={me} prices={prices} />
          <RunningCard openHolds={me?.balance.openHolds} />
        </div>
      )}
      {isNew ? <FirstSteps baseUrl={baseUrl} /> : null}
      <RecentSpend />
    </>
  );
}
