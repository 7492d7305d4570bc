import { RelayError } from "../errors";
import { findTask } from "../queries/tasks";
import { hideResult } from "../results/kept-settings";
import type { Call } from "./call";

/** Takes an ended task out of the list; throws `task_not_removable` while it goes on. */
export async function removeTask({ parts, user, id }: Call) {
  const { accountId } = user();
  const { task: found } = await findTask(parts, { accountId, id });
  const isRemoved = await hideResult(parts.pool, found.family, accountId, found.id);
  if (!isRemoved) throw new RelayError("task_not_removable");
  return { removed: true as const };
}
