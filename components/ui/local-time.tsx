"use client";

import { useFormatter, useLocale } from "next-intl";
import { useHydrated } from "@/lib/client/hydrated";

/** A day and its time in the reader's zone; in UTC until the browser has told it. */
export function LocalTime({ at, className }: { at: string; className?: string }) {
  const isHydrated = useHydrated();
  const locale = useLocale();
  const format = useFormatter();
  const shape = {
    year: "numeric",
    month: "short",
    day: "numeric",
    hour: "2-digit",
    minute: "2-digit",
    hourCycle: "h23",
    timeZoneName: "short",
  } as const;
  const moment = new Date(at);
  return (
    <time dateTime={at} className={className}>
      {isHydrated
        ? new Intl.DateTimeFormat(locale, shape).format(moment)
        : format.dateTime(moment, { ...shape, timeZone: "UTC" })}
    </time>
  );
}
