/** Sets what a member may spend in a day, a week or a month of the account. */
import { recordAction } from "../accounts/actions";
import { lockMembers } from "../accounts/membership";
import { inDatabaseTransaction } from "../db/transaction";
import { setMemberBudget } from "../ledger/core/member-budgets";
import type { CommandDeps } from "./command-deps";
import { assertHeldLimits, type HeldLimits } from "./held-limits";
import { givenBudgets, moveLimits } from "./moved-limits";

export type MemberBudgets = Pick<
  HeldLimits,
  "budgetDay" | "budgetWeek" | "budgetMonth" | "budgetZone"
>;

/**
 * Sets the given budgets; null lifts one. They bound all that the member orders: with the keys that
 * the member made, and in the playground. A zone applies to all of them. Repeating it changes
 * nothing. Rejects with `not_found`, `role_not_allowed` or `invalid_value`.
 */
export async function changeMemberBudget(
  { database }: Pick<CommandDeps, "database">,
  actor: string,
  input: MemberBudgets & { accountId: string; userId: string },
): Promise<void> {
  const { accountId, userId, budgetZone } = input;
  assertHeldLimits({ budgetZone });
  return inDatabaseTransaction(database, async (transaction) => {
    const members = await lockMembers(transaction, accountId, actor);
    members.roleOf(userId);
    const rows = await transaction.memberBudget.findMany({ where: { accountId, userId } });
    const given = givenBudgets(input);
    const changed = await moveLimits(given, rows, budgetZone, ({ kind: period, amount, zone }) =>
      setMemberBudget(transaction, { accountId, userId }, { period, amount, zone }),
    );
    if (changed === null) return;
    await recordAction(transaction, actor, "member.budget", userId, {
      detail: { account: accountId },
      ...changed,
    });
  });
}
