import type { Metadata } from "next";
import { getTranslations } from "next-intl/server";
import { hasNotSpent } from "@/app/_server/account-state";
import { requirePageUser } from "@/app/_server/page-user";
import { priceViews } from "@/app/_server/prices";
import { siteFacts } from "@/app/_server/site";
import { topupOffer } from "@/app/_server/topup";
import { KeysToWatchCard } from "@/components/api-keys/keys-to-watch-card";
import { OverviewView } from "@/components/overview/overview-view";
import { BalanceWords } from "@/components/points/balance-words";

export async function generateMetadata(): Promise<Metadata> {
  const t = await getTranslations("overview");
  return { title: t("title") };
}

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
