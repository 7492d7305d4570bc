/** Sets what a member may spend in a day, a week or a month of the account. */
import { type AuditFields, recordAction } from "../accounts/actions";
import { type ActingMember, lockMembers } from "../accounts/membership";
import type { BudgetPeriod } from "../contract/states";
import { isInvalidParameter } from "../db/database-errors";
import { inDatabaseTransaction } from "../db/transaction";
import { setMemberBudget } from "../ledger/member-budgets";
import { formatPoints, type Micropoints } from "../points";
import type { CommandDeps } from "./command-deps";
import { assertHeldLimits, type HeldLimits, notAZone } from "./held-limits";

export type MemberBudgets = Pick<
  HeldLimits,
  "budgetDay" | "budgetWeek" | "budgetMonth" | "budgetZone"
>;

type Name = "budgetDay" | "budgetWeek" | "budgetMonth";
const periods: readonly (readonly [Name, BudgetPeriod])[] = [
  ["budgetDay", "day"],
  ["budgetWeek", "week"],
  ["budgetMonth", "month"],
];

interface Step {
  readonly name: Name;
  readonly period: BudgetPeriod;
  readonly before: Micropoints | null;
  readonly after: Micropoints | null;
}

const shown = (amount: Micropoints | null) => (amount === null ? null : formatPoints(amount));

/**
 * Sets the given budgets; null lifts one. They bound all that the member orders: with the keys that
 * the member made, and in the playground. A zone applies to all of them. Repeating it changes
 * nothing. Rejects with `not_found`, `role_not_allowed` or `invalid_value`.
 */
export async function changeMemberBudget(
  { database, ledger }: Pick<CommandDeps, "database" | "ledger">,
  actor: string,
  input: MemberBudgets & { accountId: string; userId: string; acting: ActingMember },
): Promise<void> {
  const { accountId, userId, acting, budgetZone } = input;
  assertHeldLimits({ budgetZone });
  // Holds in the memory of a process would not count in it.
  if (periods.some(([name]) => typeof input[name] === "bigint")) await ledger.leasesBack(accountId);
  return inDatabaseTransaction(database, async (transaction) => {
    const members = await lockMembers(transaction, accountId, acting);
    members.roleOf(userId);
    const rows = await transaction.memberBudget.findMany({ where: { accountId, userId } });
    const earlierZone = rows[0]?.zone ?? null;
    const zone = budgetZone ?? earlierZone ?? "UTC";
    const steps = periods.map(([name, period]): Step => {
      const before = rows.find(({ kind }) => kind === period)?.budget ?? null;
      const given = input[name];
      return { name, period, before, after: given === undefined ? before : given };
    });
    const moved = steps.filter(
      ({ before, after }) => before !== after || (after !== null && zone !== earlierZone),
    );
    if (moved.length === 0) return;
    for (const { period, after: amount } of moved) {
      // The database may know fewer zones than this process.
      const set = setMemberBudget(transaction, { accountId, userId }, { period, amount, zone });
      await set.catch((error: unknown) => {
        throw isInvalidParameter(error) ? notAZone(zone) : error;
      });
    }
    const said = (side: "before" | "after", named: string | null): AuditFields => ({
      ...Object.fromEntries(moved.map((step) => [step.name, shown(step[side])])),
      budgetZone: named,
    });
    await recordAction(transaction, {
      actor,
      action: "member.budget",
      subject: userId,
      detail: { account: accountId },
      before: said("before", earlierZone),
      after: said("after", zone),
    });
  });
}
