/** The account's videos and images. */

import type { taskEndpoints } from "../contract/tasks";
import { findTask, listTasks, showTask, showTypicalTimes } from "../queries/tasks";
import { hideResult } from "../results/kept-settings";
import { seenBy } from "./seen-by";
import type { ProgramDeps, UseCases } from "./use-case";

export const taskUseCases: UseCases<typeof taskEndpoints, ProgramDeps> = {
  listTasks: ({ deps, query, user }) => listTasks(deps, { ...query, ...seenBy(user) }),
  showTask: ({ deps, id, user }) => showTask(deps, { id, ...seenBy(user) }),
  async removeTask({ deps, id, user }) {
    const { task } = await findTask(deps, { id, ...seenBy(user) });
    await hideResult(deps.pool, task.family, user.accountId, task.id);
    return { removed: true };
  },
  showTypicalTimes: ({ deps }) => showTypicalTimes(deps),
};
