/** The keys that soon stop working, or have. */
import type { ApiKeyView } from "../contract/api-keys";
import { daysLeft } from "./pace";
import { readPoints } from "./points-display";

const DAY_MS = 86_400_000;
const EXPIRES_WITHIN_DAYS = 14;
/** The part of its budget that a key has used when it is shown, in percent. */
const USED_PERCENT_MIN = 80n;
const PACE_DAYS = 7;

type Key = Pick<
  ApiKeyView,
  | "id"
  | "name"
  | "maker"
  | "status"
  | "expiresAt"
  | "lastUsedAt"
  | "budget"
  | "spent"
  | "spentByDay"
>;

export interface WatchedKey {
  readonly key: Key;
  readonly why: "paused" | "budget" | "expiry";
  /** Points left of the budget; null without one. */
  readonly left: bigint | null;
  /** For how long the budget lasts, in days; null without a budget or a pace. */
  readonly lastsDays: number | null;
}

function budgetOf({ budget, spent }: Key): { left: bigint; isNearEnd: boolean } | null {
  if (budget === null) return null;
  const whole = readPoints(budget);
  const left = whole > readPoints(spent) ? whole - readPoints(spent) : 0n;
  return { left, isNearEnd: (whole - left) * 100n >= whole * USED_PERCENT_MIN };
}

function whyOf(key: Key, isNearBudget: boolean, now: number): WatchedKey["why"] | null {
  if (key.status === "paused") return "paused";
  if (key.status !== "active") return null;
  if (isNearBudget) return "budget";
  const isEnding =
    key.expiresAt !== null && Date.parse(key.expiresAt) - now < EXPIRES_WITHIN_DAYS * DAY_MS;
  return isEnding ? "expiry" : null;
}

/** Paused keys first, then those near their budget, then those that expire soon. */
export function keysToWatch(keys: readonly Key[], now: number): WatchedKey[] {
  const order = ["paused", "budget", "expiry"];
  return keys
    .flatMap((key): WatchedKey[] => {
      const budget = budgetOf(key);
      const why = whyOf(key, budget?.isNearEnd ?? false, now);
      if (why === null) return [];
      const lastsDays =
        budget === null ? null : daysLeft(budget.left, key.spentByDay.slice(-PACE_DAYS));
      return [{ key, why, left: budget?.left ?? null, lastsDays }];
    })
    .sort((a, b) => order.indexOf(a.why) - order.indexOf(b.why));
}
