"use client";

import { useTranslations } from "next-intl";
import type { TaskView } from "@/lib/contract/tasks";

/** `720p · 16:9 · 5 s`, or `2048 × 2048`: as delivered, or as ordered until then. */
export function TaskFacts({ task }: { task: TaskView }) {
  const t = useTranslations("tasks");
  const { settings, delivered } = task;
  const width = delivered?.width ?? settings.width;
  const height = delivered?.height ?? settings.height;
  const seconds = delivered?.seconds ?? settings.seconds;
  const parts =
    task.family === "image"
      ? [width && height ? t("size", { width, height }) : null, settings.ratio]
      : [
          delivered?.resolution ?? settings.resolution,
          delivered?.ratio ?? settings.ratio,
          seconds ? t("seconds", { seconds }) : null,
          settings.hasAudio ? t("withSound") : null,
        ];
  return <span className="num text-muted">{parts.filter((part) => part).join(" · ")}</span>;
}
