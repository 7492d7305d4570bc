/** What budgets of members and of tags have in common: an amount for each day, week or month of a zone. */
import { type BudgetPeriod, budgetPeriods } from "../../contract/states";
import type { Micropoints } from "../../money/points";

export interface WindowBudget {
  readonly period: BudgetPeriod;
  /** Null lifts the budget. */
  readonly amount: Micropoints | null;
  /** The IANA zone in whose midnight the period begins. */
  readonly zone: string;
}

/** The current state of one budget. */
export interface WindowBudgetState {
  readonly period: BudgetPeriod;
  readonly max: Micropoints;
  readonly spent: Micropoints;
  readonly held: Micropoints;
  readonly left: Micropoints;
  readonly zone: string;
  readonly renewsAt: Date;
}

export interface WindowBudgetRow extends Record<"max" | "spent" | "held", string> {
  readonly period: string;
  readonly zone: string;
  readonly renews_at: Date;
}

/**
 * SQL: the columns of a `WindowBudgetRow` of the budget `b`. A window that is over counts nothing any
 * more, although its row is still there.
 */
export const windowBudgetColumns = `
  b.kind as period, b.zone, b.budget as max,
  case when b.ends_at <= now() then 0 else b.spent end as spent,
  case when b.ends_at <= now() then 0 else b.held end as held,
  case when b.ends_at <= now() then (ledger_key_window(b.kind, b.zone, now())).ends_at else b.ends_at end as renews_at`;

/** SQL: the shortest period first. */
export const byPeriod = "array_position(array['day', 'week', 'month'], b.kind)";

/** Null for a period that this release does not know. */
export function windowBudgetState(row: WindowBudgetRow): WindowBudgetState | null {
  const period = budgetPeriods.find((each) => each === row.period);
  if (period === undefined) return null;
  const [max, spent, held] = [BigInt(row.max), BigInt(row.spent), BigInt(row.held)];
  const rest = max - spent - held;
  const left = rest > 0n ? rest : 0n;
  return { period, max, spent, held, left, zone: row.zone, renewsAt: row.renews_at };
}
