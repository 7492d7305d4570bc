import { hasNotSpent } from "@/app/_server/account-state";
import { pageTitle } from "@/app/_server/page-title";
import { requirePageUser } from "@/app/_server/page-user";
import { priceViews } from "@/app/_server/prices";
import { siteFacts } from "@/app/_server/site";
import { topupOffer } from "@/app/_server/topup";
import { KeysToWatchCard } from "@/components/api-keys/keys-to-watch-card";
import { OverviewView } from "@/components/overview/overview-view";
import { BalanceWords } from "@/components/points/balance-words";

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
      keys={<KeysToWatchCard />}
      prices={prices}
      baseUrl={siteFacts().baseUrl}
      wasNew={isNew}
    />
  );
}
