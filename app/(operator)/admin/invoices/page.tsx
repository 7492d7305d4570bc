import type { Metadata } from "next";
import { getTranslations } from "next-intl/server";
import { requireOperator } from "@/app/_server/page-user";
import { InvoicesView } from "@/components/operator/invoices-view";

export async function generateMetadata(): Promise<Metadata> {
  await requireOperator();
  const t = await getTranslations("operator");
  return { title: t("invoices.title") };
}

export default async function OperatorInvoicesPage() {
  await requireOperator();
  return <InvoicesView />;
}
