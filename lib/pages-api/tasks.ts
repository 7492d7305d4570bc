/** The account's videos and images. */
import type { taskEndpoints } from "../contract/tasks";
import { RelayError } from "../errors";
import { findTask, listTasks, showTask, showTypicalTimes } from "../queries/tasks";
import { hideResult } from "../results/kept-settings";
import type { UseCases } from "./use-case";

export const taskUseCases: UseCases<typeof taskEndpoints> = {
  listTasks: ({ deps, query, user }) => listTasks(deps, { ...query, accountId: user.accountId }),
  showTask: ({ deps, id, user }) => showTask(deps, { id, accountId: user.accountId }),
  /** Removes an ended task from the list; throws `task_not_removable` while it runs. */
  async removeTask({ deps, id, user: { accountId } }) {
    const { task } = await findTask(deps, { accountId, id });
    const isRemoved = await hideResult(deps.pool, task.family, accountId, task.id);
    if (!isRemoved) throw new RelayError("task_not_removable");
    return { removed: true };
  },
  showTypicalTimes: ({ deps }) => showTypicalTimes(deps),
};
