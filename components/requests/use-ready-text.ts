import { useTranslations } from "next-intl";
import { useCallback } from "react";
import type { TaskView } from "@/lib/contract/tasks";

/** The text of the notification for an ended task. */
export function useReadyText(): (task: TaskView) => { title: string; body: string } {
  const t = useTranslations("tasks");
  return useCallback(
    ({ family, status, model, settings }) => ({
      title: t(
        status === "succeeded" ? (family === "video" ? "videoReady" : "imageReady") : "notMade",
      ),
      body: settings.prompt?.slice(0, 120) ?? model,
    }),
    [t],
  );
}
