import type { Metadata } from "next";
import { getTranslations } from "next-intl/server";
import { hasNotSpent } from "@/app/_server/account-state";
import { requirePageUser } from "@/app/_server/page-user";
import { priceViews } from "@/app/_server/prices";
import { siteFacts } from "@/app/_server/site";
import { OverviewView } from "@/components/overview/overview-view";
import { BalanceCard } from "@/components/points/balance-card";

export async function generateMetadata(): Promise<Metadata> {
  const t = await getTranslations("overview");
  return { title: t("title") };
}

export default async function OverviewPage() {
  const user = await requirePageUser();
  const [prices, isNew] = await Promise.all([
    priceViews(user.accountId),
    hasNotSpent(user.accountId),
  ]);
  return (
    <OverviewView
      balance={<BalanceCard prices={prices} />}
      baseUrl={siteFacts().baseUrl}
      wasNew={isNew}
    />
  );
}
