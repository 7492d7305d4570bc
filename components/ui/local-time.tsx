"use client";

import { useFormatter, useLocale } from "next-intl";
import { useHydrated } from "@/lib/client/hydrated";
import { utcMinute } from "@/lib/values/utc-minute";

/** A day and its time in the reader's zone, with that of UTC as its title; in UTC until the browser has told its zone. */
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
    <time dateTime={at} title={utcMinute(at)} className={className}>
      {isHydrated
        ? new Intl.DateTimeFormat(locale, shape).format(moment)
        : format.dateTime(moment, { ...shape, timeZone: "UTC" })}
    </time>
  );
}
