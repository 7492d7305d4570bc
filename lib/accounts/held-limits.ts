/** The limits of a key that the ledger holds, as the API shows them. */
import type { HeldLimitsView } from "../contract/held-limits";
import { budgetPeriods } from "../contract/states";
import type { KeyLimitState } from "../ledger/key-limits";
import { pointsNumber } from "../points";

export function heldLimitsOf(states: readonly KeyLimitState[]): HeldLimitsView {
  const running = states.find(({ kind }) => kind === "running");
  const tokens = states.find(({ kind }) => kind === "tokens");
  return {
    recurring_budgets: budgetPeriods.flatMap((period) => {
      const state = states.find(({ kind }) => kind === period);
      if (state === undefined) return [];
      const { max, spent, held, left, zone, renewsAt } = state;
      return {
        period,
        budget_points: pointsNumber(max),
        spent_points: pointsNumber(spent),
        held_points: pointsNumber(held),
        remaining_points: pointsNumber(left),
        zone: zone ?? "",
        renews_at: Math.floor((renewsAt?.getTime() ?? 0) / 1000),
      };
    }),
    concurrent_requests_max: running === undefined ? null : Number(running.max),
    concurrent_requests: running === undefined ? null : Number(running.held),
    tokens_per_minute: tokens === undefined ? null : Number(tokens.max),
    remaining_tokens: tokens === undefined ? null : Number(tokens.left),
  };
}
