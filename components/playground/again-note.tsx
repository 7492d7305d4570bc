import { useTranslations } from "next-intl";
import type { TaskView } from "@/lib/contract/tasks";

/** Names the settings of a task that could not be restored into the form. */
export function AgainNote({ task, isMissing }: { task: TaskView | null; isMissing: boolean }) {
  const t = useTranslations("studio");
  const lacksPrompt = task !== null && task.settings.prompt === null;
  const pictures = task?.settings.pictures.filter(({ url }) => url === null).length ?? 0;
  return (
    <div role="status" className="grid gap-1 text-held-ink text-sm empty:hidden">
      {isMissing ? <p>{t("againMissing")}</p> : null}
      {lacksPrompt ? <p>{t("againNoPrompt")}</p> : null}
      {pictures > 0 ? <p>{t("againNoPictures", { count: pictures })}</p> : null}
    </div>
  );
}
