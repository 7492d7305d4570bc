"use client";

import { useLocale } from "next-intl";
import { useHydrated } from "@/lib/client/hydrated";
import { exactTime } from "@/lib/client/times";
import { utcMinute } from "@/lib/values/utc-minute";

/** A day and its time in the reader's zone, with that of UTC as its title; in UTC until the browser has told its zone. */
export function LocalTime({ at, className }: { at: string; className?: string }) {
  const zone = useHydrated() ? {} : { timeZone: "UTC" };
  return (
    <time dateTime={at} title={utcMinute(at)} className={className}>
      {exactTime(at, useLocale(), { hasSeconds: false, ...zone })}
    </time>
  );
}
