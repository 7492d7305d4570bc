/** A task as the API client sees it. */
import { FRAMES_PER_SECOND } from "../../catalog/video-sizes";
import type { VideoTaskView } from "../../contract/video-task";
import { taskError } from "../order/task-error";
import type { TaskRow } from "../order/task-row";
import type { ResultStore } from "./video-deps";

export const seconds = (time: Date) => Math.floor(time.getTime() / 1000);

/** The same with the upstream's own code, where its client can act on it. */
function upstreamError({ errorCode, facts }: TaskRow): VideoTaskView["error"] {
  const upstreamCode = facts?.upstreamCode;
  return {
    ...taskError(errorCode),
    ...(upstreamCode !== undefined && { upstream_code: upstreamCode }),
  };
}

type Made = Pick<TaskRow, "spec" | "facts">;

/** The parameters of the delivered video, or else of the order. */
export function deliveredOf({ spec, facts }: Made) {
  return {
    resolution: facts?.resolution ?? spec.resolution,
    ratio: facts?.ratio ?? spec.ratio,
    duration: facts?.durationSeconds ?? spec.durationSeconds,
  };
}

export const audioOf = ({ spec, facts }: Made) => ({
  generate_audio: facts?.generateAudio ?? spec.generateAudio,
});

function contentOf(task: TaskRow, results: ResultStore): VideoTaskView["content"] {
  if (task.isResultExpired || task.mediaId === null || task.resultExpiresAt === null) {
    return {
      message: `The link to the video expired${task.resultExpiresAt ? ` at ${task.resultExpiresAt.toISOString()}` : ""}: links are valid for 24 hours.`,
    };
  }
  const { facts, mediaId, resultExpiresAt } = task;
  return {
    video_url: results.linkOf(mediaId, resultExpiresAt),
    ...(facts?.lastFrame && { last_frame_url: results.link(facts.lastFrame, resultExpiresAt) }),
  };
}

export function usageOf({ outputTokens, facts }: TaskRow): NonNullable<VideoTaskView["usage"]> {
  const tokens = outputTokens ?? 0;
  const toolCalls = facts?.toolCalls;
  return {
    completion_tokens: tokens,
    total_tokens: tokens,
    ...(toolCalls !== undefined && { tool_usage: toolCalls }),
  };
}

/** What was ordered by its names on the wire, and what the upstream said of it. */
function orderedSettings({ spec, facts }: TaskRow): Partial<VideoTaskView> {
  return {
    ...spec.settings,
    ...(spec.draftTask !== undefined && { draft_task_id: spec.draftTask }),
    ...(facts?.serviceTier !== undefined && { service_tier: facts.serviceTier }),
    ...(facts?.revisedPrompt !== undefined && { revised_prompt: facts.revisedPrompt }),
  };
}

export function viewOf(task: TaskRow, results: ResultStore): VideoTaskView {
  const { id, status, spec, facts } = task;
  const hasFailed = status === "failed" || status === "cancelled" || status === "expired";
  const seed = facts?.seed ?? spec.seed;
  return {
    id,
    model: task.modelNamed,
    status,
    error: hasFailed ? upstreamError(task) : null,
    ...(status === "succeeded" ? { content: contentOf(task, results), usage: usageOf(task) } : {}),
    ...orderedSettings(task),
    ...deliveredOf(task),
    framespersecond: facts?.framesPerSecond ?? FRAMES_PER_SECOND,
    ...(seed === null ? {} : { seed }),
    ...audioOf(task),
    created_at: seconds(task.createdAt),
    updated_at: seconds(task.updatedAt),
  };
}
