/** The limits of a key that the ledger holds, as the API shows them. */
import type { HeldLimitsView } from "../contract/held-limits";
import { type BudgetPeriod, budgetPeriods } from "../contract/states";
import type { KeyLimitState } from "../ledger/core/key-limits";
import { pointsNumber } from "../money/points";

type BudgetState = Omit<KeyLimitState, "apiKeyId" | "kind"> & { readonly period: BudgetPeriod };

/** A budget that renews, of a key or of a member. */
export const renewingBudget = ({
  period,
  max,
  spent,
  held,
  left,
  zone,
  renewsAt,
}: BudgetState): HeldLimitsView["recurring_budgets"][number] => ({
  period,
  budget_points: pointsNumber(max),
  spent_points: pointsNumber(spent),
  held_points: pointsNumber(held),
  remaining_points: pointsNumber(left),
  zone: zone ?? "",
  renews_at: Math.floor((renewsAt?.getTime() ?? 0) / 1000),
});

export function heldLimitsOf(states: readonly KeyLimitState[]): HeldLimitsView {
  const running = states.find(({ kind }) => kind === "running");
  const tokens = states.find(({ kind }) => kind === "tokens");
  return {
    recurring_budgets: budgetPeriods.flatMap((period) => {
      const state = states.find(({ kind }) => kind === period);
      return state === undefined ? [] : [renewingBudget({ ...state, period })];
    }),
    concurrent_requests_max: running === undefined ? null : Number(running.max),
    concurrent_requests: running === undefined ? null : Number(running.held),
    tokens_per_minute: tokens === undefined ? null : Number(tokens.max),
    remaining_tokens: tokens === undefined ? null : Number(tokens.left),
  };
}
