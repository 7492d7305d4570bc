/** A task as a client of the Videos API sees it. */
import { findModel } from "../../catalog/models";
import { videoSize } from "../../catalog/video-sizes";
import { isTaskOpen, type TaskStatus, type VideoJobStatus } from "../../contract/states";
import type { VideoJobView } from "../../contract/video-job";
import { taskError } from "../order/task-error";
import type { TaskRow } from "../order/task-row";
import { deliveredOf, seconds } from "./video-view";

export type JobTask = Pick<
  TaskRow,
  | "id"
  | "model"
  | "modelNamed"
  | "status"
  | "spec"
  | "facts"
  | "errorCode"
  | "resultExpiresAt"
  | "createdAt"
  | "updatedAt"
>;

const statuses: Readonly<Record<TaskStatus, VideoJobStatus>> = {
  queued: "queued",
  running: "in_progress",
  succeeded: "completed",
  failed: "failed",
  cancelled: "failed",
  expired: "failed",
};
/** Upstreams do not report how far they are, so nothing is said in between. */
const progress: Readonly<Record<VideoJobStatus, number>> = {
  queued: 0,
  in_progress: 50,
  completed: 100,
  failed: 0,
};

/** The pixels; the resolution alone as long as the ratio is not known. */
function sizeOf(task: JobTask): string {
  const { resolution, ratio } = deliveredOf(task);
  const model = findModel(task.model);
  if (model?.family !== "video") return resolution;
  const tier = model.resolutions.find((each) => each === resolution);
  const shape = model.ratios.find((each) => each === ratio);
  return tier && shape ? videoSize(model.sizeGeneration, tier, shape).join("x") : resolution;
}

export function jobOf(task: JobTask): VideoJobView {
  const status = statuses[task.status];
  const isCompleted = status === "completed";
  return {
    id: task.id,
    object: "video",
    model: task.modelNamed,
    status,
    progress: progress[status],
    prompt: task.spec.prompt ?? null,
    size: sizeOf(task),
    seconds: String(deliveredOf(task).duration),
    created_at: seconds(task.createdAt),
    completed_at: isCompleted ? seconds(task.updatedAt) : null,
    expires_at: isCompleted && task.resultExpiresAt ? seconds(task.resultExpiresAt) : null,
    error: isTaskOpen(task.status) || isCompleted ? null : taskError(task.errorCode),
    remixed_from_video_id: null,
  };
}
