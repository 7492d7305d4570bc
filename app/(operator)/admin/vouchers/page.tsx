import type { Metadata } from "next";
import { getTranslations } from "next-intl/server";
import { requireOperator } from "@/app/_server/page-user";
import { VouchersView } from "@/components/operator/vouchers-view";

export async function generateMetadata(): Promise<Metadata> {
  await requireOperator();
  const t = await getTranslations("operator");
  return { title: t("vouchers.title") };
}

export default async function OperatorVouchersPage() {
  await requireOperator();
  return <VouchersView />;
}
