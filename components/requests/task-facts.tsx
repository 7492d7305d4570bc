"use client";

import { useTranslations } from "next-intl";
import type { TaskView } from "@/lib/contract/tasks";
import { useMadeText } from "./made-text";

/** `720p · 16:9 · 5 s · Draft`, or `2048 × 2048 · × 4`: as delivered, or as ordered until then. */
export function TaskFacts({ task }: { task: TaskView }) {
  const { family, settings, delivered } = task;
  const madeText = useMadeText();
  const t = useTranslations("tasks");
  const isImage = family === "image";
  const text = madeText({
    width: isImage ? (delivered?.width ?? settings.width) : null,
    height: isImage ? (delivered?.height ?? settings.height) : null,
    resolution: delivered?.resolution ?? settings.resolution,
    ratio: delivered?.ratio ?? (settings.ratio === "adaptive" ? null : settings.ratio),
    seconds: delivered?.seconds ?? (settings.isAutoLength ? null : settings.seconds),
    generateAudio: delivered?.generateAudio ?? settings.generateAudio,
  });
  const count = task.files.filter(({ errorCode }) => errorCode === null).length || settings.count;
  const tier = delivered?.serviceTier ?? settings.more.service_tier;
  const all = [
    text,
    count > 1 ? `× ${count}` : null,
    settings.more.draft ? t("draft") : null,
    tier === "flex" ? t("flex") : null,
  ];
  return <span className="num text-muted">{all.filter(Boolean).join(" · ")}</span>;
}
