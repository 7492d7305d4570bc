"use client";

import { useTranslations } from "next-intl";
import type { ReactNode } from "react";
import { PageHead } from "@/components/ui/page-head";
import { QueryFailure } from "@/components/ui/query-failure";
import { useMe } from "@/lib/client/account";
import { readPoints } from "@/lib/client/points-display";
import { FirstSteps } from "./first-steps";
import { RecentSpend } from "./recent-spend";
import { RunningCard } from "./running-card";

interface OverviewViewProps {
  /** The card of the account's balance. */
  balance: ReactNode;
  baseUrl: string;
  /** Whether the account had no successful request when the page was rendered. */
  wasNew: boolean;
}

export function OverviewView({ balance, baseUrl, wasNew }: OverviewViewProps) {
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
          {balance}
          <RunningCard openHolds={me?.balance.openHolds} />
        </div>
      )}
      {isNew ? <FirstSteps baseUrl={baseUrl} /> : null}
      <RecentSpend />
    </>
  );
}
