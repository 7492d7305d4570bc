/**
 * `GET`, list and `DELETE` of video tasks. They read our own rows, so trouble of an upstream does
 * not affect them.
 */
import { orderReaderOf } from "../../accounts/order-reader";
import { findModel } from "../../catalog/models";
import type { Endpoints } from "../../contract/endpoints";
import { REQUESTED_MODEL_LENGTH_MAX } from "../../contract/limits";
import { isTaskOpen, taskStatuses } from "../../contract/states";
import { serviceTiers } from "../../contract/video-settings";
import { RelayError } from "../../errors";
import { type Call, jsonAnswer, type UseCase } from "../../http/serve";
import { isIdOf } from "../../ids";
import { releaseTask } from "./end-task";
import type { TaskFilter } from "./task-lists";
import type { TaskRow } from "./task-row";
import type { VideoDeps } from "./video-deps";
import { channelOf } from "./video-task";
import { viewOf } from "./video-view";

const PAGE_MAX = 500;
const PAGE_SIZE_DEFAULT = 20;
const IDS_MAX = 500;
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

function wholeOf(query: URLSearchParams, name: string, fallback: number): number {
  const text = query.get(name);
  if (text === null || text === "") return fallback;
  const value = Number(text);
  if (/^\d{1,6}$/.test(text) && value >= 1 && value <= PAGE_MAX) return value;
  const message = `\`${name}\` is ${JSON.stringify(text.slice(0, 60))}: it must be a whole number from 1 to ${PAGE_MAX}.`;
  throw new RelayError("invalid_value", { message, param: name });
}

function filterOf(text: string): TaskFilter {
  const query = new URLSearchParams(text);
  const requested = query.get("filter.status") || null;
  const status = taskStatuses.find((each) => each === requested) ?? null;
  if (requested !== null && status === null) {
    const message = `\`filter.status\` is ${JSON.stringify(requested.slice(0, 60))}: it must be one of ${taskStatuses.join(", ")}.`;
    throw new RelayError("invalid_value", { message, param: "filter.status" });
  }
  const tierAsked = query.get("filter.service_tier") || null;
  const serviceTier = serviceTiers.find((each) => each === tierAsked) ?? null;
  if (tierAsked !== null && serviceTier === null) {
    const message = `\`filter.service_tier\` is ${JSON.stringify(tierAsked.slice(0, 60))}: it must be one of ${serviceTiers.join(", ")}.`;
    throw new RelayError("invalid_value", { message, param: "filter.service_tier" });
  }
  const ids = query.getAll("filter.task_ids").flatMap((given) => given.split(","));
  if (ids.length > IDS_MAX) {
    const message = `\`filter.task_ids\` names ${ids.length} tasks: it must name at most ${IDS_MAX}.`;
    throw new RelayError("invalid_value", { message, param: "filter.task_ids" });
  }
  const model = query.get("filter.model") || null;
  if (model !== null && model.length > REQUESTED_MODEL_LENGTH_MAX) {
    const message = `\`filter.model\` has ${model.length} characters: it must have at most ${REQUESTED_MODEL_LENGTH_MAX}.`;
    throw new RelayError("invalid_value", { message, param: "filter.model" });
  }
  return {
    page: wholeOf(query, "page_num", 1),
    pageSize: wholeOf(query, "page_size", PAGE_SIZE_DEFAULT),
    status,
    ids: ids.filter((id) => id !== ""),
    model: model === null ? null : (findModel(model)?.id ?? model),
    serviceTier,
  };
}

export function createListVideoTasks(deps: VideoDeps): UseCase<Endpoints["listVideoTasks"]> {
  return async (call) => {
    const filter = filterOf(call.incoming.query);
    const { tasks, total } = await deps.table.list(orderReaderOf(call.principal), filter);
    if (filter.ids.length > 0)
      for (const { id, status } of tasks) if (isTaskOpen(status)) deps.waiters.asked(id);
    return jsonAnswer(call, { items: tasks.map((task) => viewOf(task, deps.results)), total });
  };
}

const notCancellable = (message?: string) =>
  new RelayError("task_not_cancellable", message === undefined ? {} : { message });

/**
 * Cancels a task that is still queued, once its upstream has agreed. The worker may end it first.
 */
export async function cancelTask(deps: VideoDeps, task: TaskRow): Promise<void> {
  const failing = { status: "cancelled", code: "task_cancelled" } as const;
  if (task.status === "running") throw notCancellable();
  if (task.upstreamRef === null) {
    const isOurs =
      task.submitState === "none" &&
      !deps.busy.has(task.id) &&
      (await deps.table.takeUnsubmitted(task.id));
    if (!isOurs)
      throw notCancellable("The task is being sent to the upstream. Try again in a moment.");
    await releaseTask(deps, task, failing);
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
  const ended = await releaseTask(deps, task, failing);
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
