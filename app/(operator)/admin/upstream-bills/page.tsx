import type { Metadata } from "next";
import { getTranslations } from "next-intl/server";
import { requireOperator } from "@/app/_server/page-user";
import { BillsView } from "@/components/operator/bills/bills-view";

export async function generateMetadata(): Promise<Metadata> {
  await requireOperator();
  const t = await getTranslations("operator");
  return { title: t("bills.title") };
}

export default async function UpstreamBillsPage() {
  await requireOperator();
  return <BillsView />;
}
