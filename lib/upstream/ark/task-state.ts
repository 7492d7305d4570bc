/** Reads an Ark-like upstream's answer to a poll into one of our task states. */
import { isTaskOpen } from "../../contract/states";
import type { VideoFacts, VideoState } from "../media-provider";
import type { JsonObject, UsageFault } from "../provider";
import {
  isStorableUsage,
  isTokenCount,
  positiveNumber,
  webAddress,
} from "../transport/answer-members";
import { taskStatusOf } from "../transport/task-status";
import { asObject } from "../transport/upstream-json";
import { failedState } from "../transport/video-tasks";

function readTokens(raw: unknown): {
  tokens: number | null;
  fault: UsageFault | null;
  reported: unknown;
} {
  const usage = asObject(raw);
  if (!usage)
    return {
      tokens: null,
      fault: raw === undefined || raw === null ? "missing" : "absurd",
      reported: null,
    };
  const count = usage.completion_tokens ?? usage.output_tokens ?? usage.total_tokens;
  const reported = isStorableUsage(usage) ? usage : null;
  if (count === undefined || count === null) return { tokens: null, fault: "missing", reported };
  // A video always has pixels, so a count of zero is wrong.
  if (!isTokenCount(count) || count === 0) return { tokens: null, fault: "absurd", reported };
  return { tokens: count, fault: null, reported };
}

const shortText = (value: unknown) =>
  typeof value === "string" && /^[\w:.-]{1,20}$/.test(value) ? value : null;

function factsOf(task: JsonObject): VideoFacts {
  const framesPerSecond = positiveNumber(task.framespersecond);
  const frames = positiveNumber(task.frames);
  return {
    resolution: shortText(task.resolution),
    ratio: shortText(task.ratio),
    durationSeconds:
      positiveNumber(task.duration) ??
      (frames !== null && framesPerSecond !== null ? frames / framesPerSecond : null),
    framesPerSecond,
    seed: typeof task.seed === "number" && Number.isSafeInteger(task.seed) ? task.seed : null,
  };
}

/** Null when the body is no task, or a finished task without its video. */
export function readTask(body: JsonObject | null): VideoState | null {
  const task = typeof body?.status === "string" ? body : asObject(body?.data);
  if (typeof task?.status !== "string") return null;
  const status = taskStatusOf(task.status);
  if (isTaskOpen(status)) return { status };
  if (status !== "succeeded") return failedState(status, task.error ?? task.failure_reason);
  const videoUrl = webAddress(asObject(task.content)?.video_url ?? task.video_url);
  if (videoUrl === null) return null;
  const { tokens, fault, reported } = readTokens(task.usage);
  return {
    status,
    videoUrl,
    outputTokens: tokens,
    usageFault: fault,
    reported,
    facts: factsOf(task),
  };
}
