import { getTranslations } from "next-intl/server";
import { titled } from "@/app/_server/page-title";
import { requirePageUser } from "@/app/_server/page-user";
import { siteFacts } from "@/app/_server/site";
import { TaskPage } from "@/components/tasks/task-page";
import { PageForRole } from "@/components/ui/for-role";

export const generateMetadata = titled((t) => t("tasks.aTask"));

export default async function TaskDetailsPage({ params }: { params: Promise<{ id: string }> }) {
  await requirePageUser();
  const t = await getTranslations("tasks");
  return (
    <PageForRole needs="readUsage" title={t("aTask")}>
      <TaskPage id={(await params).id} baseUrl={siteFacts().baseUrl} />
    </PageForRole>
  );
}
