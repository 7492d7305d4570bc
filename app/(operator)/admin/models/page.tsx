import type { Metadata } from "next";
import { getTranslations } from "next-intl/server";
import { requireOperator } from "@/app/_server/page-user";
import { ModelsView } from "@/components/operator/models/models-view";

export async function generateMetadata(): Promise<Metadata> {
  await requireOperator();
  const t = await getTranslations("operator");
  return { title: t("models.title") };
}

export default async function OperatorModelsPage() {
  await requireOperator();
  return <ModelsView />;
}
