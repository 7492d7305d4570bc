"use client";

import { useTranslations } from "next-intl";
import { KeysCard } from "@/components/api-keys/keys-card";
import { PageHead } from "@/components/shell/page-head";
import { QueryFailure } from "@/components/shell/query-failure";
import { EntriesCard } from "@/components/usage/entries-card";
import { useMe } from "@/lib/client/account";
import type { PackageView } from "@/lib/contract/payments";
import type { ModelPriceView } from "@/lib/contract/prices";
import { BalanceCard } from "./balance-card";
import { MultiplierCard } from "./multiplier-card";
import { PaymentReturn } from "./payment-return";
import { PaymentsCard } from "./payments-card";
import { StatementCard } from "./statement-card";
import { TopupCard } from "./topup-card";
import { VoucherDialog } from "./voucher-dialog";
import { WelcomeWithheld } from "./welcome-withheld";

interface PointsViewProps {
  prices: readonly ModelPriceView[];
  baseUrl: string;
  offer: { packages: readonly PackageView[]; hasPayments: boolean };
  /** The payment that its buyer comes back from. */
  returned: string | null;
}

export function PointsView({ prices, baseUrl, offer, returned }: PointsViewProps) {
  const t = useTranslations("points");
  const { data: me, error, refetch } = useMe();
  return (
    <>
      <PageHead title={t("title")} note={t("note")}>
        <VoucherDialog />
      </PageHead>
      {returned ? <PaymentReturn id={returned} /> : null}
      {me ? <WelcomeWithheld me={me} /> : null}
      {error && !me ? (
        <QueryFailure error={error} onRetry={() => void refetch()} />
      ) : (
        <div className="grid grid-cols-1 gap-3.5 lg:grid-cols-[1.35fr_1fr_1fr]">
          <BalanceCard me={me} prices={prices} />
          <StatementCard me={me} />
          <MultiplierCard me={me} />
        </div>
      )}
      {offer.packages.length > 0 ? <TopupCard packages={offer.packages} prices={prices} /> : null}
      <KeysCard baseUrl={baseUrl} />
      {offer.hasPayments ? <PaymentsCard /> : null}
      <EntriesCard />
    </>
  );
}
