import { useTranslations } from "next-intl";
import type { ResultSettings } from "@/lib/contract/entries";
import type { TaskView } from "@/lib/contract/tasks";

/** What a task was: as delivered, or as ordered until then. A video has its size in words. */
export function madeOf({ family, settings, delivered }: TaskView): ResultSettings {
  const isImage = family === "image";
  return {
    width: isImage ? (delivered?.width ?? settings.width) : null,
    height: isImage ? (delivered?.height ?? settings.height) : null,
    resolution: delivered?.resolution ?? settings.resolution,
    ratio: delivered?.ratio ?? (settings.ratio === "adaptive" ? null : settings.ratio),
    seconds: delivered?.seconds ?? (settings.isAutoLength ? null : settings.seconds),
    generateAudio: delivered?.generateAudio ?? settings.generateAudio,
  };
}

/** `720p · 16:9 · 5 s`, or `2048 × 2048`. */
export function useMadeText(): (made: ResultSettings) => string {
  const t = useTranslations("entries.made");
  return ({ width, height, resolution, ratio, seconds, generateAudio }) =>
    [
      width && height ? t("size", { width, height }) : null,
      resolution,
      ratio,
      seconds ? t("seconds", { seconds }) : null,
      generateAudio ? t("sound") : null,
    ]
      .filter((part) => part)
      .join(" · ");
}
