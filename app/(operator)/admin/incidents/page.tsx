import type { Metadata } from "next";
import { getTranslations } from "next-intl/server";
import { requireOperator } from "@/app/_server/page-user";
import { IncidentsView } from "@/components/operator/incidents/incidents-view";

export async function generateMetadata(): Promise<Metadata> {
  await requireOperator();
  const t = await getTranslations("operator");
  return { title: t("incidents.title") };
}

export default async function OperatorIncidentsPage() {
  await requireOperator();
  return <IncidentsView />;
}
