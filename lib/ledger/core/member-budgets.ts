/** The budgets of members that the ledger holds, and what is left of them. */
import type { Transaction } from "../../db/client";
import type { Reader } from "../../db/pool";
import { RelayError } from "../../failures/relay-error";
import {
  byPeriod,
  type WindowBudget,
  type WindowBudgetRow,
  type WindowBudgetState,
  windowBudgetColumns,
  windowBudgetState,
} from "./window-budget";

/** Sets or lifts one budget. Throws `not_found` when the account has no such member. */
export async function setMemberBudget(
  transaction: Transaction,
  { accountId, userId }: { readonly accountId: string; readonly userId: string },
  { period, amount, zone }: WindowBudget,
): Promise<void> {
  const [row] = await transaction.$queryRaw<{ ok: boolean }[]>`
    select ledger_set_member_budget(${accountId}, ${userId}, ${period}, ${amount}::bigint, ${zone}) as ok`;
  if (!row?.ok) throw new RelayError("not_found", { message: "There is no such member." });
}

export interface MemberBudgetState extends WindowBudgetState {
  readonly userId: string;
}

const statesQuery = `
  select b.user_id as member, ${windowBudgetColumns}
    from member_budget b where b.account_id = $1 and ($2::text is null or b.user_id = $2)
   order by b.user_id, ${byPeriod}`;

/** The budgets of one member, or of all members of the account. */
export async function memberBudgetStates(
  pool: Reader,
  accountId: string,
  userId: string | null = null,
): Promise<MemberBudgetState[]> {
  const { rows } = await pool.query<WindowBudgetRow & { readonly member: string }>(statesQuery, [
    accountId,
    userId,
  ]);
  return rows.flatMap(({ member, ...row }) => {
    const state = windowBudgetState(row);
    return state === null ? [] : [{ userId: member, ...state }];
  });
}
