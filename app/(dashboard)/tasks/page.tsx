import { getTranslations } from "next-intl/server";
import { pageTitle } from "@/app/_server/page-title";
import { requirePageUser } from "@/app/_server/page-user";
import { TasksView } from "@/components/tasks/tasks-view";
import { PageForRole } from "@/components/ui/for-role";

export const generateMetadata = pageTitle("tasks");

export default async function TasksPage() {
  await requirePageUser();
  const t = await getTranslations("tasks");
  return (
    <PageForRole needs="readUsage" title={t("title")}>
      <TasksView />
    </PageForRole>
  );
}
