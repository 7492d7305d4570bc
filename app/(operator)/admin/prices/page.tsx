import type { Metadata } from "next";
import { getTranslations } from "next-intl/server";
import { requireOperator } from "@/app/_server/page-user";
import { OperatorPricesView } from "@/components/operator/prices/prices-view";

export async function generateMetadata(): Promise<Metadata> {
  await requireOperator();
  const t = await getTranslations("operator");
  return { title: t("prices.title") };
}

export default async function OperatorPricesPage() {
  await requireOperator();
  return <OperatorPricesView />;
}
