/** The keys that soon stop working, or have. */
import type { ApiKeyView } from "../contract/api-keys";
import { lifetimeBudget } from "./key-budgets";

const DAY_MS = 86_400_000;
const EXPIRES_WITHIN_DAYS = 14;
/** The part of its budget that a key has used when it is shown, in percent. */
const USED_PERCENT_MIN = 80n;

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

export interface WatchedKey<Of extends Key = Key> {
  readonly key: Of;
  readonly why: "paused" | "budget" | "expiry";
  /** Points left of the budget; null without one. */
  readonly left: bigint | null;
  /** For how long the budget lasts, in days; null without a budget or a pace. */
  readonly lastsDays: number | null;
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
export function keysToWatch<Of extends Key>(keys: readonly Of[], now: number): WatchedKey<Of>[] {
  const order = ["paused", "budget", "expiry"];
  return keys
    .flatMap((key): WatchedKey<Of>[] => {
      const known = lifetimeBudget(key, now);
      const isNearEnd =
        known !== null && (known.budget - known.left) * 100n >= known.budget * USED_PERCENT_MIN;
      const why = whyOf(key, isNearEnd, now);
      if (why === null) return [];
      return [{ key, why, left: known?.left ?? null, lastsDays: known?.lastsDays ?? null }];
    })
    .sort((a, b) => order.indexOf(a.why) - order.indexOf(b.why));
}
