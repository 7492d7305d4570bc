import type { Metadata } from "next";
import { getTranslations } from "next-intl/server";
import { requirePageUser } from "@/app/_server/page-user";
import { priceViews } from "@/app/_server/prices";
import { siteFacts } from "@/app/_server/site";
import { PointsView } from "@/components/points/points-view";

export async function generateMetadata(): Promise<Metadata> {
  const t = await getTranslations("points");
  return { title: t("title") };
}

export default async function PointsPage() {
  const user = await requirePageUser();
  return <PointsView prices={await priceViews(user.accountId)} baseUrl={siteFacts().baseUrl} />;
}
