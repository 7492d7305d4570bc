"use client";

import { useTranslations } from "next-intl";
import type { ResultSettings } from "@/lib/contract/entries";

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
