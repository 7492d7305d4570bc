"use client";

import { useFormatter } from "next-intl";

/** `820 ms`, `2.1 s`. */
export function useDurationText(): (ms: number) => string {
  const format = useFormatter();
  return (ms) =>
    ms < 1000
      ? format.number(ms, { style: "unit", unit: "millisecond", maximumFractionDigits: 0 })
      : format.number(ms / 1000, { style: "unit", unit: "second", maximumFractionDigits: 1 });
}
