import type { Metadata } from "next";
import { getTranslations } from "next-intl/server";
import { requireOperator } from "@/app/_server/page-user";
import { OperatorSettingsView } from "@/components/operator/settings/settings-view";

export async function generateMetadata(): Promise<Metadata> {
  await requireOperator();
  const t = await getTranslations("operator");
  return { title: t("settings.title") };
}

export default async function OperatorSettingsPage() {
  await requireOperator();
  return <OperatorSettingsView />;
}
