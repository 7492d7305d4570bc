import type { Metadata } from "next";
import { getTranslations } from "next-intl/server";
import { requirePageUser } from "@/app/_server/page-user";
import { TasksView } from "@/components/tasks/tasks-view";
import { PageForRole } from "@/components/ui/for-role";

export async function generateMetadata(): Promise<Metadata> {
  const t = await getTranslations("tasks");
  return { title: t("title") };
}

export default async function TasksPage() {
  await requirePageUser();
  const t = await getTranslations("tasks");
  return (
    <PageForRole needs="readUsage" title={t("title")}>
      <TasksView />
    </PageForRole>
  );
}
