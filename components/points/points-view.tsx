"use client";

import { useTranslations } from "next-intl";
import { KeysCard } from "@/components/api-keys/keys-card";
import { PageHead } from "@/components/shell/page-head";
import { QueryFailure } from "@/components/shell/query-failure";
import { EntriesCard } from "@/components/usage/entries-card";
import { useMe } from "@/lib/client/account";
import type { ModelPriceView } from "@/lib/contract/site";
import { BalanceCard } from "./balance-card";
import { MultiplierCard } from "./multiplier-card";
import { StatementCard } from "./statement-card";
import { VoucherDialog } from "./voucher-dialog";

export function PointsView({ prices, baseUrl }: { prices: readonly ModelPriceView[]; baseUrl: string }) {
  const t = useTranslations("points");
  const { data: me, error, refetch } = useMe();
  return (
    <>
      <PageHead title={t("title")} note={t("note")}>
        <VoucherDialog />
      </PageHead>
      {error && !me ? (
        <QueryFailure error={error} onRetry={() => void refetch()} />
      ) : (
        <div className="grid grid-cols-1 gap-3.5 lg:grid-cols-[1.35fr_1fr_1fr]">
          <BalanceCard me={me} prices={prices} />
          <StatementCard me={me} />
          <MultiplierCard me={me} />
        </div>
      )}
      <KeysCard baseUrl={baseUrl} />
      <EntriesCard />
    </>
  );
}
