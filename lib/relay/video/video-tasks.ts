/**
 * `GET`, list and `DELETE` of video tasks. They read our own rows, so trouble of an upstream does
 * not affect them.
 */
import { orderReaderOf } from "../../accounts/order-reader";
import type { Endpoints } from "../../contract/endpoints";
import { isTaskOpen } from "../../contract/states";
import { isIdOf } from "../../crypto/ids";
import { RelayError } from "../../failures/relay-error";
import { type Call, jsonAnswer, type UseCase } from "../../http/serve";
import { cancelUnsent, notCancellable } from "../order/cancel-unsent";
import { cancelled, releaseTask } from "../order/release-task";
import { taskFilterOf } from "../order/task-filter";
import type { TaskRow } from "../order/task-row";
import type { VideoDeps } from "./video-deps";
import { channelOf } from "./video-task";
import { viewOf } from "./video-view";

/** Text of any other form never reaches the database. */
export const isTaskId = (text: string) => isIdOf("task", text) && /^[0-9a-z-]{1,44}$/.test(text);

/** A task that the caller may not read, and a hidden one, are answered like one that does not exist. */
export async function findOwn(deps: VideoDeps, { principal, parameter }: Call): Promise<TaskRow> {
  const task = isTaskId(parameter)
    ? await deps.table.findFor(orderReaderOf(principal), parameter)
    : undefined;
  if (!task || task.hiddenAt !== null) throw new RelayError("task_not_found");
  return task;
}

/** The task of a client that asks how far it is. */
export async function findAsked(deps: VideoDeps, call: Call): Promise<TaskRow> {
  const task = await findOwn(deps, call);
  if (isTaskOpen(task.status)) deps.waiters.asked(task.id);
  return task;
}

export function createGetVideoTask(deps: VideoDeps): UseCase<Endpoints["getVideoTask"]> {
  return async (call) => jsonAnswer(call, viewOf(await findAsked(deps, call), deps.results));
}

export function createListVideoTasks(deps: VideoDeps): UseCase<Endpoints["listVideoTasks"]> {
  return async (call) => {
    const filter = taskFilterOf(call.incoming.query);
    const { tasks, total } = await deps.table.list(orderReaderOf(call.principal), filter);
    if (filter.ids.length > 0)
      for (const { id, status } of tasks) if (isTaskOpen(status)) deps.waiters.asked(id);
    return jsonAnswer(call, { items: tasks.map((task) => viewOf(task, deps.results)), total });
  };
}

/**
 * Cancels a task that is still queued, once its upstream has agreed. The worker may end it first.
 */
export async function cancelTask(deps: VideoDeps, task: TaskRow): Promise<void> {
  if (task.status === "running") throw notCancellable();
  if (task.upstreamRef === null) {
    await cancelUnsent(deps, task);
    return;
  }
  const channel = channelOf(deps, task);
  const result = channel ? await deps.provider.cancel(channel, task.upstreamRef) : "unknown";
  if (result === "running") throw notCancellable();
  if (result === "ended")
    throw notCancellable("The task has already ended. Get it again in a moment.");
  if (result === "unknown")
    throw new RelayError("upstream_failed", {
      message: "The upstream did not confirm that it cancelled the task. Try again.",
    });
  const ended = await releaseTask(deps, task, cancelled);
  if (ended.outcome === "settled") throw notCancellable("The task has already ended.");
}

/** Cancels a task that is queued; hides one that has ended, which changes no points. */
export function createDeleteVideoTask(deps: VideoDeps): UseCase<Endpoints["deleteVideoTask"]> {
  return async (call) => {
    const task = await findOwn(deps, call);
    if (isTaskOpen(task.status)) await cancelTask(deps, task);
    else await deps.table.hide(call.principal.accountId, task.id);
    return jsonAnswer(call, {});
  };
}
