/**
 * Orders a video in any style: price the upper bound → hold and task → upstream. The single call
 * then waits for its task.
 */
import type { Endpoints } from "../../contract/endpoints";
import { videoRequest } from "../../contract/video";
import { videoTaskRequest } from "../../contract/video-task";
import { RelayError } from "../../errors";
import { type FailureCode, failures } from "../../failures";
import type { Outgoing } from "../../http/exchange";
import { type Call, type CallOf, jsonAnswer, type UseCase } from "../../http/serve";
import { newId, newOperationId } from "../../ids";
import { pause } from "../../pause";
import { pointsNumber } from "../../points";
import { type StoredImage, storedImages } from "../../results/kept-settings";
import type { VideoImages } from "../../upstream/media-provider";
import type { Channel } from "../../upstream/provider";
import { clientGone, holdRequest } from "../order/hold";
import { setIgnoredFieldsHeader } from "../order/ignored-fields";
import { setRooms } from "../order/key-rooms";
import { notedOrder } from "../order/noted-order";
import { refusedHold } from "../order/refused-hold";
import { warnOfRetiring } from "../order/retiring";
import { sourceOf } from "./draft-source";
import { releaseTask } from "./end-task";
import { requestedVideoOfCall, requestedVideoOfTask } from "./requested-video";
import { submitTask } from "./submit-task";
import type { TaskRow, VideoTask } from "./task-row";
import { lifeSecondsOf, type VideoDeps } from "./video-deps";
import { orderVideo, type RequestedVideo, type VideoPurchase } from "./video-order";
import { deliveredOf, taskError, usageOf } from "./video-view";

const TASK_ID_HEADER = "x-relay-task-id";
/**
 * How long only the request that opened a task may submit it; longer once the submit has started.
 */
const LEASE_SECONDS = 60;
/** Added to a task's lifetime, so that the worker ends the task before its hold's deadline. */
const DEADLINE_SLACK_SECONDS = 24 * 3600;
const LOOK_AGAIN_MS = 1000;

function storedImagesOf(images: VideoImages): StoredImage[] {
  const { firstFrameUrl, lastFrameUrl, referenceImageUrls } = images;
  return [
    ...storedImages("first_frame", firstFrameUrl === null ? [] : [firstFrameUrl]),
    ...storedImages("last_frame", lastFrameUrl ? [lastFrameUrl] : []),
    ...storedImages("reference_image", referenceImageUrls),
  ];
}

/**
 * Opens the hold and the task; the channel was picked before. Throws 402, `key_budget_exhausted`,
 * `account_suspended`, 503.
 */
async function openTask(
  deps: VideoDeps,
  call: Call,
  order: VideoPurchase,
  id: string,
  callbackUrl: string | null,
): Promise<VideoTask> {
  const operationId = call.idempotency?.operationId ?? newOperationId();
  const { accountId } = call.principal;
  const deadlineSeconds = lifeSecondsOf(deps.times, order.spec) + DEADLINE_SLACK_SECONDS;
  const dialect = call.incoming.dialect ?? call.row.dialect ?? null;
  const hold = holdRequest(call, operationId, order, order, deadlineSeconds, dialect);
  const held = await notedOrder(call.principal, operationId, () =>
    deps.ledger.openTask(hold, {
      taskId: id,
      modelNamed: order.modelNamed,
      spec: { ...order.spec, pictures: storedImagesOf(order.images) },
      imageUrls: order.images,
      callbackUrl,
      leaseOwner: deps.table.owner,
      leaseSeconds: LEASE_SECONDS,
    }),
  );
  if (held.result !== "held") throw refusedHold(held, order.holdAmount);
  setRooms(call.headers, held);
  const { model, spec } = order;
  warnOfRetiring(call.headers, model, call.principal);
  return {
    id,
    operationId,
    accountId,
    model: model.id,
    spec,
    channelId: null,
    upstreamRef: null,
    createdAt: new Date(),
  };
}

const claimOf = ({ idempotency }: Call) => idempotency?.key ?? null;

/**
 * Submits a task that an earlier attempt of this request opened and nobody has sent. Throws 409
 * while another process may be sending it.
 */
async function submitUnsubmitted(
  deps: VideoDeps,
  call: Call,
  task: TaskRow,
  order: VideoPurchase,
): Promise<void> {
  const isOurs = !deps.busy.has(task.id) && (await deps.table.takeUnsubmitted(task.id));
  if (!isOurs) throw new RelayError("idempotency_in_progress", { retryAfterSeconds: 2 });
  deps.busy.add(task.id);
  try {
    const source = await sourceOf(deps, call.principal, order);
    const channel = await deps.chooser.pick(order.model.id, source.excluded);
    await submitTask(deps, task, source, claimOf(call), channel);
  } finally {
    deps.busy.delete(task.id);
  }
}

/**
 * Opens and submits a task. Its id is in the headers as soon as the task exists. Throws the
 * client's error when nothing was ordered.
 */
async function buyVideo(
  deps: VideoDeps,
  call: Call,
  order: VideoPurchase,
  callbackUrl: string | null,
): Promise<VideoTask> {
  let isGone = false;
  call.incoming.onGone(() => {
    isGone = true;
  });
  const resumed = call.idempotency?.isResumed
    ? await deps.table.findByOperation(call.principal.accountId, call.idempotency.operationId)
    : undefined;
  if (resumed) {
    call.headers[TASK_ID_HEADER] = resumed.id;
    if (resumed.status === "queued" && resumed.submitState === "none")
      await submitUnsubmitted(deps, call, resumed, order);
    return resumed;
  }
  const source = await sourceOf(deps, call.principal, order);
  const channel: Channel = await deps.chooser.pick(order.model.id, source.excluded);
  const id = newId("task");
  deps.busy.add(id);
  try {
    const task = await openTask(deps, call, order, id, callbackUrl).catch((error: unknown) => {
      deps.chooser.giveBack(channel);
      throw error;
    });
    call.headers[TASK_ID_HEADER] = id;
    if (isGone) {
      deps.chooser.giveBack(channel);
      await releaseTask(deps, task, { status: "failed", code: "client_gone" });
      throw clientGone();
    }
    await submitTask(deps, task, source, claimOf(call), channel);
    return task;
  } finally {
    call.rawBody.releaseImages();
    deps.busy.delete(id);
  }
}

function isFailureCode(code: string): code is FailureCode {
  return Object.hasOwn(failures, code);
}

/** The error of a single call for a failed task. */
function failureOfTask(task: TaskRow): RelayError {
  const { code, message } = taskError(task.errorCode);
  const known: FailureCode = isFailureCode(code)
    ? code
    : code === "task_expired"
      ? "upstream_timeout"
      : "upstream_failed";
  return new RelayError(known, { message, fields: { task_id: task.id } });
}

/** The task when it has ended; null when the time is up first. */
async function waitForEnd(
  deps: VideoDeps,
  task: VideoTask,
  until: number,
): Promise<TaskRow | null> {
  for (;;) {
    if (!(await deps.waiters.wait(task.id, until - performance.now()))) return null;
    try {
      return (await deps.table.find(task.accountId, task.id)) ?? null;
    } catch {
      // The database is away for the moment. An error here would make a client library order a
      // second video.
      await pause(LOOK_AGAIN_MS);
    }
  }
}

async function answerOf(
  deps: VideoDeps,
  call: CallOf<Endpoints["createVideo"]>,
  task: TaskRow,
): Promise<Outgoing> {
  if (task.status !== "succeeded" || task.mediaId === null || task.resultExpiresAt === null)
    throw failureOfTask(task);
  const charged = await deps.table.charged(task.operationId).catch(() => null);
  if (charged !== null) call.headers["x-relay-points"] = String(pointsNumber(charged));
  return jsonAnswer(call, {
    id: task.id,
    created: Math.floor(task.createdAt.getTime() / 1000),
    model: task.modelNamed,
    video_url: deps.results.linkOf(task.mediaId, task.resultExpiresAt),
    ...deliveredOf(task),
    usage: usageOf(task),
  });
}

/** `POST /v1/videos/generations`. */
export function createVideoCall(deps: VideoDeps): UseCase<Endpoints["createVideo"]> {
  return async (call) => {
    const until = performance.now() + deps.times.waitMs;
    const request = call.body;
    setIgnoredFieldsHeader(request, videoRequest.shape, call.headers);
    const order = orderVideo(
      requestedVideoOfCall(request),
      call.principal,
      deps.priceBook,
      call.rawBody.images,
    );
    await deps.running.enter(call.principal);
    try {
      const task = await buyVideo(deps, call, order, null);
      const ended = await waitForEnd(deps, task, until);
      if (ended) return await answerOf(deps, call, ended);
      const message = `The video is not ready yet. Its task continues: GET /v1/contents/generations/tasks/${task.id}`;
      throw new RelayError("task_still_running", { message, fields: { task_id: task.id } });
    } finally {
      deps.running.leave(call.principal);
    }
  };
}

/**
 * Orders a video as a task, without waiting for it: the order, and the task that was opened or
 * joined.
 */
export async function orderTask(
  deps: VideoDeps,
  call: Call,
  requested: RequestedVideo,
  callbackUrl: string | null,
): Promise<{ order: VideoPurchase; task: VideoTask }> {
  const order = orderVideo(requested, call.principal, deps.priceBook, call.rawBody.images);
  await deps.running.enter(call.principal);
  try {
    return { order, task: await buyVideo(deps, call, order, callbackUrl) };
  } finally {
    deps.running.leave(call.principal);
  }
}

/** `POST /v1/contents/generations/tasks`. */
export function createVideoTask(deps: VideoDeps): UseCase<Endpoints["createVideoTask"]> {
  return async (call) => {
    const request = call.body;
    setIgnoredFieldsHeader(request, videoTaskRequest.shape, call.headers);
    const { callback_states: callbackStates = null } = request;
    const requested = { ...requestedVideoOfTask(request), callbackStates };
    const { order, task } = await orderTask(deps, call, requested, request.callback_url ?? null);
    return jsonAnswer(call, { id: task.id, model: order.modelNamed });
  };
}
