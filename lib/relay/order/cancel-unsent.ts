/** Ends a task that its owner does not want any more and that nobody has sent: it costs nothing. */
import { RelayError } from "../../failures/relay-error";
import { cancelled, releaseTask } from "./release-task";
import type { TaskDeps } from "./task-deps";
import type { AnyTaskRow } from "./task-row";

export const notCancellable = (message?: string) =>
  new RelayError("task_not_cancellable", message === undefined ? {} : { message });

/** Throws `task_not_cancellable` while a process may be sending it. */
export async function cancelUnsent(deps: TaskDeps, task: AnyTaskRow): Promise<void> {
  const isOurs =
    task.submitState === "none" &&
    !deps.busy.has(task.id) &&
    (await deps.table.takeUnsubmitted(task.id));
  if (!isOurs)
    throw notCancellable("The task is being sent to the upstream. Try again in a moment.");
  await releaseTask(deps, task, cancelled);
}
