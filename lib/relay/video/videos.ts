/**
 * Orders a video in any style: price the upper bound → hold and task → upstream. The single call
 * then waits for its task.
 */
import type { Endpoints } from "../../contract/endpoints";
import { videoRequest } from "../../contract/video";
import { videoTaskRequest } from "../../contract/video-task";
import { type FailureCode, failures } from "../../failures/failure-table";
import { RelayError } from "../../failures/relay-error";
import type { Outgoing } from "../../http/exchange";
import { type Call, type CallOf, jsonAnswer, type UseCase } from "../../http/serve";
import { pointsNumber } from "../../money/points";
import { type StoredImage, storedImages } from "../../results/kept-settings";
import { pause } from "../../timing/pause";
import type { VideoImages } from "../../upstream/media-provider";
import { buyTask, servingOf } from "../order/buy-task";
import { orderFirst } from "../order/chosen-model";
import { setIgnoredFieldsHeader } from "../order/ignored-fields";
import { taskError } from "../order/task-error";
import type { OpenTask, TaskRow } from "../order/task-row";
import { type Source, sourceOf } from "./draft-source";
import { measuredOrder } from "./measured-order";
import type { RequestedVideo } from "./requested-order";
import { requestedVideoOfCall, requestedVideoOfTask } from "./requested-video";
import { submitTask } from "./submit-task";
import { lifeSecondsOf, type VideoDeps } from "./video-deps";
import { orderVideo, refuseModel, type VideoPurchase } from "./video-order";
import { deliveredOf, usageOf } from "./video-view";

const LOOK_AGAIN_MS = 1000;

function storedImagesOf(images: VideoImages): StoredImage[] {
  const { firstFrameUrl, lastFrameUrl, referenceImageUrls } = images;
  const { referenceVideoUrls = [], referenceAudioUrls = [] } = images;
  return [
    ...storedImages("first_frame", firstFrameUrl === null ? [] : [firstFrameUrl]),
    ...storedImages("last_frame", lastFrameUrl ? [lastFrameUrl] : []),
    ...storedImages("reference_image", referenceImageUrls),
    ...storedImages("reference_video", referenceVideoUrls),
    ...storedImages("reference_audio", referenceAudioUrls),
  ];
}

/** A task that was opened, or the one that was joined. */
type BoughtVideo = TaskRow | (OpenTask & Pick<TaskRow, "spec">);

/**
 * Opens and submits a task. Its id is in the headers as soon as the task exists. Throws the
 * client's error when nothing was ordered.
 */
async function buyVideo(
  deps: VideoDeps,
  call: Call,
  order: VideoPurchase,
  callbackUrl: string | null,
): Promise<BoughtVideo> {
  const { spec, images } = order;
  const dialect = call.incoming.dialect ?? call.row.dialect ?? null;
  const pictures = storedImagesOf(images);
  let found: Source | undefined;
  const source = async () => {
    found ??= await sourceOf(deps, call.principal, order);
    return found;
  };
  const stored = {
    ...order,
    spec: { ...spec, pictures },
    callbackUrl,
    dialect,
    lifeSeconds: lifeSecondsOf(deps.times, spec),
    assertStored: () => deps.results.assertTakes(),
    excluded: async () => (await source()).excluded,
  };
  const task = await buyTask(deps, call, stored, async (each, channel, claim) =>
    submitTask(deps, each, { spec, ...(await source()) }, claim, channel),
  );
  return "family" in task && task.family === "video" ? task : { ...task, spec };
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
async function waitForEnd(deps: VideoDeps, task: OpenTask, until: number): Promise<TaskRow | null> {
  for (;;) {
    if (!(await deps.waiters.wait(task.id, until - performance.now()))) return null;
    try {
      const found = await deps.table.find(task.accountId, task.id);
      return found?.family === "video" ? found : null;
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

/** Checks and prices an order, and counts `work` on it as running. */
function ordered<Result>(
  deps: VideoDeps,
  call: Call,
  requested: RequestedVideo,
  work: (order: VideoPurchase) => Promise<Result>,
): Promise<Result> {
  const { principal, rawBody, idempotency } = call;
  const ordered = { request: requested, principal, choosing: deps, refuse: refuseModel };
  const ordering = { family: "video", ...ordered } as const;
  return orderFirst(ordering, servingOf(deps, call), async (request) => {
    const bounded = orderVideo(request, principal, deps.priceBook, rawBody.images);
    await deps.running.enter(principal);
    try {
      // The task of an earlier attempt has its price; the files may be gone meanwhile.
      const isPriced = idempotency?.isResumed === true;
      return await work(isPriced ? bounded : await measuredOrder(deps, bounded, request));
    } finally {
      deps.running.leave(principal);
    }
  });
}

/** `POST /v1/videos/generations`. */
export function createVideoCall(deps: VideoDeps): UseCase<Endpoints["createVideo"]> {
  return async (call) => {
    const until = performance.now() + deps.times.waitMs;
    const request = call.body;
    setIgnoredFieldsHeader(request, videoRequest.shape, call.headers);
    return ordered(deps, call, requestedVideoOfCall(request), async (order) => {
      const task = await buyVideo(deps, call, order, null);
      const ended = await waitForEnd(deps, task, until);
      if (ended) return answerOf(deps, call, ended);
      const message = `The video is not ready yet. Its task continues: GET /v1/contents/generations/tasks/${task.id}`;
      throw new RelayError("task_still_running", { message, fields: { task_id: task.id } });
    });
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
): Promise<{ order: VideoPurchase; task: BoughtVideo }> {
  return ordered(deps, call, requested, async (order) => ({
    order,
    task: await buyVideo(deps, call, order, callbackUrl),
  }));
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
