"use client";

import { useTranslations } from "next-intl";
import { useNowEachSecond } from "@/lib/client/now";

/** Seconds, minutes or hours since a time, updated while shown. */
export function ElapsedTime({ since }: { since: string }) {
  const t = useTranslations("settlement");
  const seconds = Math.max(0, Math.round((useNowEachSecond() - new Date(since).getTime()) / 1000));
  const minutes = Math.floor(seconds / 60);
  if (minutes >= 60) return t("hours", { hours: Math.floor(minutes / 6) / 10 });
  return minutes >= 1 ? t("minutes", { minutes }) : t("seconds", { seconds });
}
