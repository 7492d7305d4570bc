import { hasNotSpent } from "@/app/_server/account-state";
import { pageTitle } from "@/app/_server/page-title";
import { requirePageUser } from "@/app/_server/page-user";
import { priceViews } from "@/app/_server/prices";
import { siteFacts } from "@/app/_server/site";
import { topupOffer } from "@/app/_server/topup";
import { KeysToWatchCard } from "@/components/api-keys/keys-to-watch-card";
import { OverviewView } from "@/components/overview/overview-view";
import { BalanceWords } from "@/components/points/balance-words";
import { InvoicesCard } from "@/components/points/invoices-card";
import { PaymentsCard } from "@/components/points/payments-card";
import { PlanCard } from "@/components/points/plan-card";
import { may } from "@/lib/contract/member-roles";

export const generateMetadata = pageTitle("overview");

export default async function OverviewPage() {
  const user = await requirePageUser();
  const [prices, isNew, offer] = await Promise.all([
    priceViews(user.accountId),
    hasNotSpent(user.accountId),
    topupOffer(user.accountId),
  ]);
  return (
    <OverviewView
      balance={<BalanceWords prices={prices} canTopUp={offer.packages.length > 0} />}
      money={may(user.role, "readUsage") ? null : <Money {...offer} />}
      keys={<KeysToWatchCard />}
      prices={prices}
      baseUrl={siteFacts().baseUrl}
      wasNew={isNew}
    />
  );
}

/** What a member who only sees the account's money comes for. */
function Money({ hasPlans, hasPayments }: Awaited<ReturnType<typeof topupOffer>>) {
  return (
    <div className="-mt-3.5">
      {hasPlans ? <PlanCard /> : null}
      {hasPayments ? <PaymentsCard /> : null}
      <InvoicesCard />
    </div>
  );
}
