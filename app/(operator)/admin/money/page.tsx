import type { Metadata } from "next";
import { getTranslations } from "next-intl/server";
import { requireOperator } from "@/app/_server/page-user";
import { MoneyView } from "@/components/operator/money-view";

export async function generateMetadata(): Promise<Metadata> {
  await requireOperator();
  const t = await getTranslations("operator");
  return { title: t("money.title") };
}

export default async function OperatorMoneyPage() {
  await requireOperator();
  return <MoneyView />;
}
