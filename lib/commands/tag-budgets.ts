/** Sets what the requests with a tag may cost in a day, a week or a month. */
import { recordAction } from "../accounts/actions";
import { TAG_BUDGETS_MAX } from "../contract/limits";
import { tagText } from "../contract/tags";
import { inDatabaseTransaction } from "../db/transaction";
import { RelayError } from "../failures/relay-error";
import { setTagBudget, type Tag } from "../ledger/core/tag-budgets";
import type { CommandDeps } from "./command-deps";
import { assertHeldLimits } from "./held-limits";
import type { MemberBudgets } from "./member-budget";
import { givenBudgets, moveLimits } from "./moved-limits";

/**
 * Sets the given budgets of a tag; null lifts one. They bound all requests of the account that have the
 * tag. A zone applies to all of them. Repeating it changes nothing. Rejects with `invalid_value`.
 */
export async function changeTagBudget(
  { database }: Pick<CommandDeps, "database">,
  actor: string,
  input: MemberBudgets & { readonly accountId: string; readonly tag: Tag },
): Promise<void> {
  const { accountId, tag, budgetZone } = input;
  assertHeldLimits({ budgetZone });
  return inDatabaseTransaction(database, async (transaction) => {
    const rows = await transaction.tagBudget.findMany({ where: { accountId, ...tag } });
    const given = givenBudgets(input);
    const changed = await moveLimits(given, rows, budgetZone, async (limit) => {
      const budget = { period: limit.kind, amount: limit.amount, zone: limit.zone };
      if (await setTagBudget(transaction, accountId, tag, budget, TAG_BUDGETS_MAX)) return;
      throw new RelayError("invalid_value", {
        param: "tag",
        message: `The account has ${TAG_BUDGETS_MAX} budgets of tags, which is the most: lift one first.`,
        fault: { name: "too_many", max: TAG_BUDGETS_MAX },
      });
    });
    if (changed === null) return;
    await recordAction(transaction, actor, "tag.budget", accountId, {
      detail: { tag: tagText({ [tag.name]: tag.value }) },
      ...changed,
    });
  });
}
