import type { Metadata } from "next";
import { getTranslations } from "next-intl/server";
import { requireOperator } from "@/app/_server/page-user";
import { PlansView } from "@/components/operator/plans/plans-view";

export async function generateMetadata(): Promise<Metadata> {
  await requireOperator();
  const t = await getTranslations("operator");
  return { title: t("plans.title") };
}

export default async function OperatorPlansPage() {
  await requireOperator();
  return <PlansView />;
}
