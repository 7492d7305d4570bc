/** The budgets of members that the ledger holds, and what is left of them. */
import { type BudgetPeriod, budgetPeriods } from "../../contract/states";
import type { Transaction } from "../../db/client";
import type { Reader } from "../../db/pool";
import { RelayError } from "../../failures/relay-error";
import type { Micropoints } from "../../money/points";

export interface MemberBudget {
  readonly period: BudgetPeriod;
  /** Null lifts the budget. */
  readonly amount: Micropoints | null;
  /** The IANA zone in whose midnight the period begins. */
  readonly zone: string;
}

/** Sets or lifts one budget. Throws `not_found` when the account has no such member. */
export async function setMemberBudget(
  transaction: Transaction,
  { accountId, userId }: { readonly accountId: string; readonly userId: string },
  { period, amount, zone }: MemberBudget,
): Promise<void> {
  const [row] = await transaction.$queryRaw<{ ok: boolean }[]>`
    select ledger_set_member_budget(${accountId}, ${userId}, ${period}, ${amount}::bigint, ${zone}) as ok`;
  if (!row?.ok) throw new RelayError("not_found", { message: "There is no such member." });
}

/** The current state of one budget. */
export interface MemberBudgetState {
  readonly userId: string;
  readonly period: BudgetPeriod;
  readonly max: Micropoints;
  readonly spent: Micropoints;
  readonly held: Micropoints;
  readonly left: Micropoints;
  readonly zone: string;
  readonly renewsAt: Date;
}

interface Row extends Record<"max" | "spent" | "held", string> {
  readonly member: string;
  readonly period: string;
  readonly zone: string;
  readonly renews_at: Date;
}

/** A window that is over counts nothing any more, although its row is still there. */
const statesQuery = `
  select b.user_id as member, b.kind as period, b.zone, b.budget as max, case when b.ends_at <= now() then 0 else b.spent end as spent,
         case when b.ends_at <= now() then 0 else b.held end as held,
         case when b.ends_at <= now() then (ledger_key_window(b.kind, b.zone, now())).ends_at else b.ends_at end as renews_at
    from member_budget b where b.account_id = $1 and ($2::text is null or b.user_id = $2)
   order by b.user_id, array_position(array['day', 'week', 'month'], b.kind)`;

/** The budgets of one member, or of all members of the account. */
export async function memberBudgetStates(
  pool: Reader,
  accountId: string,
  userId: string | null = null,
): Promise<MemberBudgetState[]> {
  const { rows } = await pool.query<Row>(statesQuery, [accountId, userId]);
  return rows.flatMap(({ member, renews_at: renewsAt, zone, ...row }) => {
    const period = budgetPeriods.find((each) => each === row.period);
    if (period === undefined) return [];
    const [max, spent, held] = [BigInt(row.max), BigInt(row.spent), BigInt(row.held)];
    const rest = max - spent - held;
    const left = rest > 0n ? rest : 0n;
    return [{ userId: member, period, max, spent, held, left, zone, renewsAt }];
  });
}
