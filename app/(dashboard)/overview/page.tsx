import type { Metadata } from "next";
import { getTranslations } from "next-intl/server";
import { requirePageUser } from "@/app/_server/page-user";
import { priceViews } from "@/app/_server/prices";
import { siteFacts } from "@/app/_server/site";
import { OverviewView } from "@/components/overview/overview-view";

export async function generateMetadata(): Promise<Metadata> {
  const t = await getTranslations("overview");
  return { title: t("title") };
}

export default async function OverviewPage() {
  const user = await requirePageUser();
  return <OverviewView prices={await priceViews(user.accountId)} baseUrl={siteFacts().baseUrl} />;
}
