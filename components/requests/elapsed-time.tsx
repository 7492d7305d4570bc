"use client";

import { useDurationText } from "@/components/ui/duration-text";
import { useNowEachSecond } from "@/lib/client/now";

/** How long ago a time is, in whole seconds, updated while shown. */
export function ElapsedTime({ since }: { since: string }) {
  const seconds = Math.round((useNowEachSecond() - Date.parse(since)) / 1000);
  return useDurationText()(Math.max(1, seconds) * 1000);
}
