import type { Metadata } from "next";
import { getTranslations } from "next-intl/server";
import { requireOperator } from "@/app/_server/page-user";
import { OperatorOverviewView } from "@/components/operator/overview/overview-view";

export async function generateMetadata(): Promise<Metadata> {
  await requireOperator();
  const t = await getTranslations("operator");
  return { title: t("overview.title") };
}

export default async function OperatorOverviewPage() {
  await requireOperator();
  return <OperatorOverviewView />;
}
