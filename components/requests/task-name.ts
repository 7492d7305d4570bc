import { useTranslations } from "next-intl";
import type { TaskView } from "@/lib/contract/tasks";

/** A task's name, for places without a preview. */
export function useTaskName(): (task: TaskView) => string {
  const t = useTranslations("studio");
  return ({ family, model, id, settings }) =>
    family === "video"
      ? t("videoOf", { model, id })
      : t("imageOf", { model, prompt: (settings.prompt ?? id).slice(0, 80) });
}
