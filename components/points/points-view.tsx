"use client";

import { useTranslations } from "next-intl";
import type { ReactNode } from "react";
import { After } from "@/components/ui/after";
import { ForRole, RoleNote } from "@/components/ui/for-role";
import { PageHead } from "@/components/ui/page-head";
import { QueryFailure } from "@/components/ui/query-failure";
import { useMe } from "@/lib/client/account";
import { useKeys } from "@/lib/client/api-keys";
import { useMembers } from "@/lib/client/members";
import { useMay } from "@/lib/client/shown-account";
import type { PackageView } from "@/lib/contract/payments";
import type { ModelPriceView } from "@/lib/contract/prices";
import { AutoTopupCard } from "./auto-topup-card";
import { BalanceCard } from "./balance-card";
import { EntriesCard } from "./entries-card";
import { InvoicesCard } from "./invoices-card";
import { MultiplierCard } from "./multiplier-card";
import { PaymentReturn } from "./payment-return";
import { PaymentsCard } from "./payments-card";
import { PlanCard } from "./plan-card";
import { StatementCard } from "./statement-card";
import { TopupCard } from "./topup-card";
import { VoucherDialog } from "./voucher-dialog";
import { WelcomeWithheld } from "./welcome-withheld";

interface PointsViewProps {
  prices: readonly ModelPriceView[];
  /** The card of the account's API keys. */
  keys: ReactNode;
  offer: {
    packages: readonly PackageView[];
    hasPayments: boolean;
    hasAutoTopup: boolean;
    hasPlans: boolean;
  };
  /** The card of the account's referral link; null without one. */
  referral: ReactNode;
  /** The id of the payment that the buyer returns from. */
  returned: string | null;
  /** The id of the page of the payment provider that may have saved a card. */
  returnedCard: string | null;
}

export function PointsView(props: PointsViewProps) {
  const { prices, keys, offer, referral, returned, returnedCard } = props;
  const t = useTranslations("points");
  const { data: me, error, refetch } = useMe();
  const apiKeys = useKeys();
  return (
    <>
      <PageHead title={t("title")} note={useMay("readPoints") ? t("note") : undefined}>
        <ForRole needs="topUp">
          <VoucherDialog />
        </ForRole>
      </PageHead>
      <RoleNote />
      <ForRole needs="topUp">{returned ? <PaymentReturn id={returned} /> : null}</ForRole>
      <ForRole needs="own">{me ? <WelcomeWithheld me={me} /> : null}</ForRole>
      {error && !me ? (
        <QueryFailure error={error} onRetry={() => void refetch()} />
      ) : (
        <div className="grid grid-cols-1 gap-3.5 lg:grid-cols-2 xl:grid-cols-[1.35fr_1fr_1fr]">
          <BalanceCard prices={prices} />
          <ForRole needs="readPoints">
            <StatementCard me={me} />
          </ForRole>
          <MultiplierCard me={me} />
        </div>
      )}
      <ForRole needs="buy">
        {offer.packages.length > 0 ? <TopupCard packages={offer.packages} prices={prices} /> : null}
      </ForRole>
      <ForRole needs="readKeys">{keys}</ForRole>
      <ForRole needs="readPoints">{offer.hasPlans ? <PlanCard /> : null}</ForRole>
      <ForRole needs="topUp">
        {offer.packages.length > 0 || offer.hasPlans ? (
          <AutoTopupCard
            packages={offer.packages}
            isOffered={offer.hasAutoTopup}
            returned={returnedCard}
          />
        ) : null}
        {referral}
      </ForRole>
      <After of={[apiKeys, useMembers()]}>
        <ForRole needs="readPoints">
          {offer.hasPayments ? <PaymentsCard /> : null}
          <InvoicesCard />
          <EntriesCard />
        </ForRole>
      </After>
    </>
  );
}
