"use client";

import { useLocale } from "next-intl";
import { exactTime } from "@/lib/client/times";

/** An exact time in the reader's zone. */
export function ExactTime({ at }: { at: string }) {
  return <time dateTime={at}>{exactTime(at, useLocale())}</time>;
}
