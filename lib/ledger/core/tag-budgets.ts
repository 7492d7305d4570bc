/** The budgets of tags that the ledger holds, and what is left of them. */
import { type BudgetPeriod, budgetPeriods } from "../../contract/states";
import type { Transaction } from "../../db/client";
import type { Reader } from "../../db/pool";
import type { Micropoints } from "../../money/points";

export interface Tag {
  readonly name: string;
  readonly value: string;
}

export interface TagBudget {
  readonly period: BudgetPeriod;
  /** Null lifts the budget. */
  readonly amount: Micropoints | null;
  /** The IANA zone in whose midnight the period begins. */
  readonly zone: string;
}

/** Sets or lifts one budget. False: the account has as many as `budgetsMax`, and none was set. */
export async function setTagBudget(
  transaction: Transaction,
  accountId: string,
  { name, value }: Tag,
  { period, amount, zone }: TagBudget,
  budgetsMax: number,
): Promise<boolean> {
  const [row] = await transaction.$queryRaw<{ ok: boolean }[]>`
    select ledger_set_tag_budget(${accountId}, ${name}, ${value}, ${period}, ${amount}::bigint, ${zone}, ${budgetsMax}::integer) as ok`;
  return row?.ok === true;
}

/** The current state of one budget. */
export interface TagBudgetState extends Tag {
  readonly period: BudgetPeriod;
  readonly max: Micropoints;
  readonly spent: Micropoints;
  readonly held: Micropoints;
  readonly left: Micropoints;
  readonly zone: string;
  readonly renewsAt: Date;
}

interface Row extends Record<"max" | "spent" | "held", string>, Tag {
  readonly period: string;
  readonly zone: string;
  readonly renews_at: Date;
}

/** A window that is over counts nothing any more, although its row is still there. */
const statesQuery = `
  select b.name, b.value, b.kind as period, b.zone, b.budget as max,
         case when b.ends_at <= now() then 0 else b.spent end as spent,
         case when b.ends_at <= now() then 0 else b.held end as held,
         case when b.ends_at <= now() then (ledger_key_window(b.kind, b.zone, now())).ends_at else b.ends_at end as renews_at
    from tag_budget b where b.account_id = $1
   order by b.name, b.value, array_position(array['day', 'week', 'month'], b.kind)`;

/** The budgets of all tags of an account. */
export async function tagBudgetStates(pool: Reader, accountId: string): Promise<TagBudgetState[]> {
  const { rows } = await pool.query<Row>(statesQuery, [accountId]);
  return rows.flatMap(({ name, value, renews_at: renewsAt, zone, ...row }) => {
    const period = budgetPeriods.find((each) => each === row.period);
    if (period === undefined) return [];
    const [max, spent, held] = [BigInt(row.max), BigInt(row.spent), BigInt(row.held)];
    const rest = max - spent - held;
    const left = rest > 0n ? rest : 0n;
    return [{ name, value, period, max, spent, held, left, zone, renewsAt }];
  });
}
