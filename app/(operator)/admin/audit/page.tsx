import type { Metadata } from "next";
import { getTranslations } from "next-intl/server";
import { requireOperator } from "@/app/_server/page-user";
import { AuditView } from "@/components/operator/audit-view";

export async function generateMetadata(): Promise<Metadata> {
  await requireOperator();
  const t = await getTranslations("operator");
  return { title: t("audit.title") };
}

export default async function OperatorAuditPage() {
  await requireOperator();
  return <AuditView />;
}
