"use client";

import { useSearchParams } from "next/navigation";
import { addDays, todayIn } from "@/lib/client/days";
import { useHydrated } from "@/lib/client/hydrated";
import { holdStates, type UsageGrouping, usageGroups } from "@/lib/contract/states";
import type { UsageFilterView } from "@/lib/contract/usage";

export const rangeDays = ["7", "30", "90"] as const;
export type Range = (typeof rangeDays)[number] | "own";

const dayPattern = /^\d{4}-\d\d-\d\d$/;

export interface UsageAddress {
  range: Range;
  filter: UsageFilterView;
  group: UsageGrouping;
  ownZone: string;
}

/** The filter in the page's URL; null until the browser's day and zone are known. */
export function useUsageAddress(): UsageAddress | null {
  const search = useSearchParams();
  if (!useHydrated()) return null;
  const ownZone = new Intl.DateTimeFormat().resolvedOptions().timeZone;
  const zone = search.get("zone") ?? "UTC";
  const [from, to] = [search.get("from"), search.get("to")];
  const isOwn = dayPattern.test(from ?? "") && dayPattern.test(to ?? "");
  const range = rangeDays.find((days) => days === search.get("days")) ?? "7";
  const today = todayIn(isKnownZone(zone) ? zone : "UTC", Date.now());
  const status = holdStates.find((each) => each === search.get("status"));
  return {
    range: isOwn ? "own" : range,
    filter: {
      from: isOwn && from !== null ? from : addDays(today, 1 - Number(range)),
      to: isOwn && to !== null ? to : today,
      zone,
      model: search.get("model") ?? undefined,
      key: search.get("key") ?? undefined,
      status,
    },
    group: usageGroups.find((each) => each === search.get("group")) ?? "day",
    ownZone,
  };
}

function isKnownZone(zone: string): boolean {
  try {
    new Intl.DateTimeFormat("en", { timeZone: zone });
    return true;
  } catch {
    return false;
  }
}
