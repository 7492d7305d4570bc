import type { Metadata } from "next";
import { getTranslations } from "next-intl/server";
import { requirePageUser } from "@/app/_server/page-user";
import { siteFacts } from "@/app/_server/site";
import { TaskPage } from "@/components/tasks/task-page";
import { PageForRole } from "@/components/ui/for-role";

export async function generateMetadata(): Promise<Metadata> {
  const t = await getTranslations("tasks");
  return { title: t("aTask") };
}

export default async function TaskDetailsPage({ params }: { params: Promise<{ id: string }> }) {
  await requirePageUser();
  const t = await getTranslations("tasks");
  return (
    <PageForRole needs="readUsage" title={t("aTask")}>
      <TaskPage id={(await params).id} baseUrl={siteFacts().baseUrl} />
    </PageForRole>
  );
}
