/** The tags of the account's requests, and their budgets. */
import { changeTagBudget } from "../commands/tag-budgets";
import { readTagText, type tagEndpoints } from "../contract/tags";
import { RelayError } from "../failures/relay-error";
import type { Tag } from "../ledger/core/tag-budgets";
import { optionalPoints } from "../money/requested-points";
import { listTagBudgets, listTags } from "../queries/tags";
import type { ProgramDeps, UseCases } from "./use-case";

/** The schema has seen that it is one. */
function tagOf(text: string): Tag {
  const tags = readTagText(text);
  const [tag] = typeof tags === "string" ? [] : Object.entries(tags);
  if (tag === undefined) throw new RelayError("invalid_value", { param: "tag" });
  return { name: tag[0], value: tag[1] };
}

export const tagUseCases: UseCases<typeof tagEndpoints, ProgramDeps> = {
  listTags: ({ deps, user }) => listTags(deps, user),
  listTagBudgets: ({ deps, user }) => listTagBudgets(deps, user),
  async setTagBudget({ deps, body, user }) {
    await changeTagBudget(deps, user.userId, {
      accountId: user.accountId,
      tag: tagOf(body.tag),
      budgetDay: optionalPoints("budgetDay", body.budgetDay),
      budgetWeek: optionalPoints("budgetWeek", body.budgetWeek),
      budgetMonth: optionalPoints("budgetMonth", body.budgetMonth),
      budgetZone: body.budgetZone,
    });
    return { done: true };
  },
};
