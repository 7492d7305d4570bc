/**
 * The state machine of a video: submit it once, poll until it has ended, copy the file, end the task.
 * The first end wins; a later one changes nothing.
 *
 * Only the process that opened a task may submit it, and only while its caller waits. The caller gets
 * its 200 after the upstream has accepted the task.
 *
 * | status, submit_state | in the database | the caller got | if its process dies |
 * | --- | --- | --- | --- |
 * | no row | nothing, or a commit that is still to come | nothing, or 503 | as the next row, once it is committed |
 * | queued, none | hold and task | nothing, or 503 | released (`order_interrupted`); a retry with its Idempotency-Key may submit it first |
 * | queued, intent | the upstream, before the first byte leaves | nothing, or 503, or 200 while the upstream's id is being saved | released with a loss: the upstream may have it. Never sent again |
 * | queued, accepted · running | the upstream's id | 200, or 504 with the task's id | any process polls it, and charges it when it succeeds |
 * | succeeded | the charge, in the same commit | the video | nothing |
 * | failed · cancelled · expired | the release, in the same commit | the failure | nothing |
 *
 * So a caller that got 503 is never charged, and one that got 200 has a task that a worker ends.
 */

import type { Channel } from "../../upstream/provider";
import { isObject } from "../../values/records";
import {
  cancelled,
  endLost,
  endUnknown,
  expire,
  interrupted,
  releaseTask,
} from "../order/release-task";
import type { Advance } from "../order/task-deps";
import type { AnyTaskRow, TaskRow } from "../order/task-row";
import { type Success, settleTask } from "./end-task";
import { lifeSecondsOf, type VideoDeps } from "./video-deps";

/**
 * An upstream may not know a new task at once. Only this many "not found" in a row mean that it is
 * gone.
 */
const GONE_ANSWERS = 3;

/** A file that cannot be stored is fetched this many times before its task is given up. */
const FINAL_COPIES = 3;

const isFinal = (error: unknown) => isObject(error) && error.isFinal === true;

/** The channel that made a task: its settings from then, with the present key of its credential. */
export function channelOf(deps: VideoDeps, task: TaskRow): Channel | undefined {
  const found = task.channelId === null ? undefined : deps.channelById(task.channelId);
  const channel =
    found?.choices?.find(({ credential }) => credential?.name === task.channelCredential) ?? found;
  if (!channel || task.channelProtocol === null || task.channelBaseUrl === null) return channel;
  return { ...channel, protocol: task.channelProtocol, baseUrl: task.channelBaseUrl };
}

async function advanceSuccess(
  deps: VideoDeps,
  task: TaskRow,
  channel: Channel,
  state: Success,
  isOverdue: boolean,
): Promise<Advance> {
  try {
    await settleTask(deps, task, channel, state);
    return "ended";
  } catch (error) {
    deps.log.warn(
      { taskId: task.id, channelId: channel.id, err: error },
      "a finished video could not be stored yet",
    );
    if (isFinal(error) && task.pollFailures + 1 >= FINAL_COPIES) {
      await releaseTask(deps, task, {
        status: "failed",
        code: "upstream_bad_response",
        lossCause: "orphan_upstream",
      });
      return "ended";
    }
    return isOverdue ? expire(deps, task, "late_success") : "failed";
  }
}

const failureCodes = { cancelled: cancelled.code, expired: "task_expired" };

/**
 * Takes a task one step: releases what was never sent; otherwise polls its upstream once, and at a
 * terminal state copies the file and ends the task. No other function ends a task that an upstream
 * has. Rejects with `database_unavailable`.
 */
export async function advanceTask(deps: VideoDeps, task: AnyTaskRow): Promise<Advance> {
  if (task.family === "image") return deps.advanceImage(task);
  const isOverdue = task.ageSeconds > lifeSecondsOf(deps.times, task.spec);
  if (task.submitState === "none") {
    // Only the caller's process submits a task, and that caller was refused or has no answer.
    await releaseTask(deps, task, interrupted);
    return "ended";
  }
  if (task.upstreamRef === null) return endLost(deps, task);
  const channel = channelOf(deps, task);
  if (!channel) return isOverdue ? expire(deps, task) : "failed";
  const read = await deps.provider.read(channel, task.upstreamRef);
  if (!read.isOk) {
    if (read.isGone && task.pollFailures + 1 >= GONE_ANSWERS) return endUnknown(deps, task, "gone");
    if (isOverdue) return expire(deps, task);
    const { waitSeconds } = read.failure;
    return waitSeconds === undefined ? "failed" : { waitSeconds };
  }
  const { state } = read;
  switch (state.status) {
    case "succeeded":
      return advanceSuccess(deps, task, channel, state, isOverdue);
    case "queued":
    case "running":
      if (isOverdue) return expire(deps, task);
      if (state.status === task.status || task.status === "running") return "unchanged";
      await deps.table.noteRunning(task.id);
      return "changed";
    default: {
      deps.log.warn(
        { taskId: task.id, channelId: channel.id, code: state.code, internal: state.internal },
        "a video failed upstream",
      );
      const { operationId, model, upstreamRef, ageSeconds } = task;
      const { code, internal, said = "" } = state;
      const failure = { code, internal, said, mayHaveCost: false };
      const attempt = { operationId, channel, model, failure, upstreamRef };
      deps.chooser.reportAttempt({ ...attempt, tookMs: ageSeconds * 1000 });
      await releaseTask(deps, task, {
        status: state.status,
        code: state.status === "failed" ? state.code : failureCodes[state.status],
        upstreamCode: state.upstreamCode,
      });
      return "ended";
    }
  }
}
