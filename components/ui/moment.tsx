"use client";

import { useLocale } from "next-intl";
import { exactTime } from "@/lib/client/times";

/** An exact moment in the reader's own zone. */
export function Moment({ at }: { at: string }) {
  return <time dateTime={at}>{exactTime(at, useLocale())}</time>;
}
