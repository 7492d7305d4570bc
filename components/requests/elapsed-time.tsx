"use client";

import { useTranslations } from "next-intl";
import { useNowEachSecond } from "@/lib/client/now";

/** Seconds or minutes since a time, updated while shown. */
export function ElapsedTime({ since }: { since: string }) {
  const t = useTranslations("settlement");
  const seconds = Math.max(0, Math.round((useNowEachSecond() - new Date(since).getTime()) / 1000));
  return seconds < 60
    ? t("seconds", { seconds })
    : t("minutes", { minutes: Math.floor(seconds / 60) });
}
