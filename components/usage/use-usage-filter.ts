import { useSearchParams } from "next/navigation";
import { addDays, todayIn } from "@/lib/client/days";
import { useHydrated } from "@/lib/client/hydrated";
import { TAG_NAME_LENGTH_MAX } from "@/lib/contract/limits";
import { type ChartGrouping, chartGroups, dialects, holdStates } from "@/lib/contract/states";
import { tagFilter } from "@/lib/contract/tags";
import type { UsageFilterView } from "@/lib/contract/usage-filter";
import { parsePoints } from "@/lib/money/points";
import { type Measure, measures } from "./chart-measures";

export const rangeDays = ["7", "30", "90"] as const;
export type Range = (typeof rangeDays)[number] | "own";

const dayPattern = /^\d{4}-\d\d-\d\d$/;

export interface UsageAddress {
  range: Range;
  filter: UsageFilterView;
  /** The day of the range that was chosen in the chart. */
  day: string | null;
  /** The filter of the list and its sums: of that day only, if one was chosen. */
  rows: UsageFilterView;
  group: ChartGrouping;
  /** Divides each group once more. */
  thenBy: ChartGrouping | undefined;
  groupTag: string | undefined;
  measure: Measure;
  ownZone: string;
  /** Whether new requests appear by themselves. */
  isLive: boolean;
}

/** The filter in the page's URL; null until the browser's day and zone are known. */
export function useUsageAddress(): UsageAddress | null {
  const search = useSearchParams();
  if (!useHydrated()) return null;
  const ownZone = new Intl.DateTimeFormat().resolvedOptions().timeZone;
  const named = search.get("zone");
  const zone = named !== null && isKnownZone(named) ? named : "UTC";
  const [from, to] = [search.get("from"), search.get("to")];
  const isOwn = dayPattern.test(from ?? "") && dayPattern.test(to ?? "");
  const range = rangeDays.find((days) => days === search.get("days")) ?? "7";
  const today = todayIn(zone, Date.now());
  const filter = {
    from: isOwn && from !== null ? from : addDays(today, 1 - Number(range)),
    to: isOwn && to !== null ? to : today,
    zone,
    model: search.get("model") ?? undefined,
    key: search.get("key") ?? undefined,
    member: search.get("member") ?? undefined,
    status: holdStates.find((each) => each === search.get("status")),
    dialect: dialects.find((each) => each === search.get("dialect")),
    pointsMin: pointsIn(search.get("pointsMin")),
    pointsMax: pointsIn(search.get("pointsMax")),
    tag: readTag(search.get("tag")),
  };
  const groupTag = search.get("by")?.slice(0, TAG_NAME_LENGTH_MAX) || undefined;
  const groups = chartGroups.filter((each) => each !== "tag" || groupTag !== undefined);
  const group = groups.find((each) => each === search.get("group")) ?? "model";
  const thenBy = groups.find((each) => each === search.get("and") && each !== group);
  const day = dayWithin(search.get("day"), filter);
  return {
    range: isOwn ? "own" : range,
    filter,
    day,
    rows: day === null ? filter : { ...filter, from: day, to: day },
    group,
    thenBy,
    groupTag: group === "tag" || thenBy === "tag" ? groupTag : undefined,
    measure: measures.find((each) => each === search.get("measure")) ?? "points",
    ownZone,
    isLive: search.get("live") === "1",
  };
}

const pointsIn = (text: string | null): string | undefined =>
  text !== null && (parsePoints(text) ?? -1n) >= 0n ? text : undefined;

/** What the server would refuse is no filter. */
const readTag = (text: string | null): string | undefined =>
  text !== null && tagFilter.safeParse(text).success ? text : undefined;

function dayWithin(day: string | null, { from, to }: UsageFilterView): string | null {
  return day !== null && dayPattern.test(day) && day >= from && day <= to ? day : null;
}

function isKnownZone(zone: string): boolean {
  try {
    new Intl.DateTimeFormat("en", { timeZone: zone });
    return true;
  } catch {
    return false;
  }
}
