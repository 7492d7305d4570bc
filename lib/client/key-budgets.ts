/** A key's budgets: what is left of each, and when it is used up at the pace of the last days. */
import type { ApiKeyView } from "../contract/api-keys";
import type { BudgetPeriod } from "../contract/states";
import { MICROPOINTS_PER_POINT } from "../money/points";
import { daysLeft, PACE_DAYS } from "./pace";
import { readPoints } from "./points-display";

const DAY_MS = 86_400_000;
/** Beyond this a forecast from the last days says nothing. */
const FORECAST_DAYS_MAX = 365;

export interface KeyBudget {
  readonly period: "lifetime" | BudgetPeriod;
  readonly budget: bigint;
  readonly left: bigint;
  /** For how many days it lasts; null without a pace. */
  readonly lastsDays: number | null;
  /** In ms; null when it is not in sight, or the budget renews before. */
  readonly usedUpAt: number | null;
  readonly renewsAt: string | null;
}

type Key = Pick<ApiKeyView, "budget" | "spent" | "spentByDay" | "budgets">;

function budgetView(
  key: Key,
  now: number,
  part: Pick<KeyBudget, "period" | "budget" | "renewsAt"> & { left: bigint },
): KeyBudget {
  const left = part.left > 0n ? part.left : 0n;
  const lastsDays = daysLeft(left, key.spentByDay.slice(-PACE_DAYS));
  const usedUpAt =
    lastsDays === null || lastsDays > FORECAST_DAYS_MAX ? null : now + lastsDays * DAY_MS;
  const isSoon = part.renewsAt === null || (usedUpAt ?? now) < Date.parse(part.renewsAt);
  return { ...part, left, lastsDays, usedUpAt: isSoon ? usedUpAt : null };
}

export const lifetimeBudget = (key: Omit<Key, "budgets">, now: number): KeyBudget | null =>
  key.budget === null
    ? null
    : budgetView({ ...key, budgets: [] }, now, {
        period: "lifetime",
        budget: readPoints(key.budget),
        left: readPoints(key.budget) - readPoints(key.spent),
        renewsAt: null,
      });

/** The one for its lifetime first, then those that renew. */
export function keyBudgets(key: Key, now: number): KeyBudget[] {
  const whole = lifetimeBudget(key, now);
  return [
    ...(whole === null ? [] : [whole]),
    ...key.budgets.map(({ period, budget, left, renewsAt }) =>
      budgetView(key, now, {
        period,
        budget: readPoints(budget),
        left: readPoints(left),
        renewsAt,
      }),
    ),
  ];
}

/** The next step of a budget: half more, in whole points, rounded up to two digits. */
export function raised(budget: bigint): bigint {
  const points = (budget + budget / 2n + MICROPOINTS_PER_POINT - 1n) / MICROPOINTS_PER_POINT;
  const step = 10n ** BigInt(Math.max(0, String(points).length - 2));
  const rounded = ((points + step - 1n) / step) * step;
  return (rounded > 0n ? rounded : 1n) * MICROPOINTS_PER_POINT;
}
