/** The account's videos and images. */

import type { UserSession } from "../accounts/session-store";
import { may } from "../contract/member-roles";
import type { taskEndpoints } from "../contract/tasks";
import type { OrderReader } from "../db/order-readers";
import { findTask, listTasks, showTask, showTypicalTimes } from "../queries/tasks";
import { hideResult } from "../results/kept-settings";
import type { UseCases } from "./use-case";

/** What the member may read; null for everything. */
const readerOf = ({ accountId, userId, role }: UserSession): OrderReader | null =>
  may(role, "readEveryResult") ? null : { accountId, userId, apiKeyId: null, models: [] };
const seenBy = (user: UserSession) => ({ accountId: user.accountId, reader: readerOf(user) });

export const taskUseCases: UseCases<typeof taskEndpoints> = {
  listTasks: ({ deps, query, user }) => listTasks(deps, { ...query, ...seenBy(user) }),
  showTask: ({ deps, id, user }) => showTask(deps, { id, ...seenBy(user) }),
  async removeTask({ deps, id, user }) {
    const { task } = await findTask(deps, { id, ...seenBy(user) });
    await hideResult(deps.pool, task.family, user.accountId, task.id);
    return { removed: true };
  },
  showTypicalTimes: ({ deps }) => showTypicalTimes(deps),
};
