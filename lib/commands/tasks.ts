import { recordAction } from "../accounts/actions";
import { openTaskStatuses } from "../contract/states";
import { inDatabaseTransaction } from "../db/transaction";
import { RelayError } from "../failures/relay-error";
import type { CommandDeps } from "./command-deps";

/**
 * Has the task polled at once instead of at its next turn. Changes nothing else. Rejects with
 * `not_found`.
 */
export function checkTask(
  { database }: Pick<CommandDeps, "database">,
  actor: string,
  { id }: { id: string },
): Promise<void> {
  return inDatabaseTransaction(database, async (transaction) => {
    const task = await transaction.videoTask.findUnique({ where: { id }, select: { id: true } });
    if (task === null) throw new RelayError("not_found");
    const open = { id, status: { in: [...openTaskStatuses] } };
    await transaction.videoTask.updateMany({ where: open, data: { nextPollAt: new Date() } });
    await recordAction(transaction, actor, "task.check", id);
  });
}
