"use client";

import type { TaskView } from "@/lib/contract/tasks";
import { useMadeText } from "./made-text";

/** `720p · 16:9 · 5 s`, or `2048 × 2048`: as delivered, or as ordered until then. */
export function TaskFacts({ task: { family, settings, delivered } }: { task: TaskView }) {
  const madeText = useMadeText();
  const isImage = family === "image";
  const text = madeText({
    width: isImage ? (delivered?.width ?? settings.width) : null,
    height: isImage ? (delivered?.height ?? settings.height) : null,
    resolution: delivered?.resolution ?? settings.resolution,
    ratio: delivered?.ratio ?? settings.ratio,
    seconds: delivered?.seconds ?? settings.seconds,
    hasAudio: settings.hasAudio,
  });
  return <span className="num text-muted">{text}</span>;
}
