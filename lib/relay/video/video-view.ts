/** A task as the API client sees it. */
import { FRAMES_PER_SECOND } from "../../catalog/video-sizes";
import type { VideoTaskView } from "../../contract/video-task";
import { taskError } from "../order/task-error";
import type { TaskRow } from "../order/task-row";
import type { ResultStore } from "./video-deps";

export const seconds = (time: Date) => Math.floor(time.getTime() / 1000);

/** The parameters of the delivered video, or else of the order. */
export function deliveredOf({ spec, facts }: Pick<TaskRow, "spec" | "facts">): {
  resolution: string;
  ratio: string;
  duration: number;
} {
  return {
    resolution: facts?.resolution ?? spec.resolution,
    ratio: facts?.ratio ?? spec.ratio,
    duration: facts?.durationSeconds ?? spec.durationSeconds,
  };
}

function contentOf(task: TaskRow, results: ResultStore): VideoTaskView["content"] {
  if (task.isResultExpired || task.mediaId === null || task.resultExpiresAt === null) {
    return {
      message: `The link to the video expired${task.resultExpiresAt ? ` at ${task.resultExpiresAt.toISOString()}` : ""}: links are valid for 24 hours.`,
    };
  }
  return { video_url: results.linkOf(task.mediaId, task.resultExpiresAt) };
}

export function usageOf(task: TaskRow): { completion_tokens: number; total_tokens: number } {
  const tokens = task.outputTokens ?? 0;
  return { completion_tokens: tokens, total_tokens: tokens };
}

export function viewOf(task: TaskRow, results: ResultStore): VideoTaskView {
  const { id, status, spec, facts } = task;
  const hasFailed = status === "failed" || status === "cancelled" || status === "expired";
  const seed = facts?.seed ?? spec.seed;
  return {
    id,
    model: task.modelNamed,
    status,
    error: hasFailed ? taskError(task.errorCode) : null,
    ...(status === "succeeded" ? { content: contentOf(task, results), usage: usageOf(task) } : {}),
    ...deliveredOf(task),
    framespersecond: facts?.framesPerSecond ?? FRAMES_PER_SECOND,
    ...(seed === null ? {} : { seed }),
    generate_audio: spec.generateAudio,
    created_at: seconds(task.createdAt),
    updated_at: seconds(task.updatedAt),
  };
}
