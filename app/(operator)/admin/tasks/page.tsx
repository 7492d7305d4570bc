import type { Metadata } from "next";
import { getTranslations } from "next-intl/server";
import { requireOperator } from "@/app/_server/page-user";
import { OperatorTasksView } from "@/components/operator/tasks-view";

export async function generateMetadata(): Promise<Metadata> {
  await requireOperator();
  const t = await getTranslations("operator");
  return { title: t("tasks.title") };
}

export default async function OperatorTasksPage() {
  await requireOperator();
  return <OperatorTasksView />;
}
