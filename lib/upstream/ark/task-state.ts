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
import { codeText } from "../transport/error-codes";
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

const PROMPT_SHOWN_MAX = 20_000;
const CALL_KINDS_MAX = 8;

/** The calls of each tool; a count that is none is left out. */
function toolCallsOf(raw: unknown): Record<string, number> | null {
  const counted: Record<string, number> = {};
  for (const [name, calls] of Object.entries(asObject(raw) ?? {}).slice(0, CALL_KINDS_MAX))
    if (/^\w{1,40}$/.test(name) && isTokenCount(calls)) counted[name] = calls;
  return Object.keys(counted).length === 0 ? null : counted;
}

/** What else an upstream says of how it made a video. */
function servedOf(task: JsonObject): Partial<VideoFacts> {
  const { service_tier, generate_audio, revised_prompt: revised } = task;
  const serviceTier = shortText(service_tier);
  const toolCalls = toolCallsOf(asObject(task.usage)?.tool_usage);
  const isText = typeof revised === "string" && revised.length > 0 && revised.isWellFormed();
  return {
    ...(serviceTier !== null && { serviceTier }),
    ...(typeof generate_audio === "boolean" && { generateAudio: generate_audio }),
    ...(toolCalls !== null && { toolCalls }),
    ...(isText && {
      revisedPrompt: revised.replaceAll("\0", "").slice(0, PROMPT_SHOWN_MAX).toWellFormed(),
    }),
  };
}

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
    ...servedOf(task),
    ...(frames !== null && { frames }),
  };
}

/** The code of a failure that the client can act on, as the upstream says it. */
function upstreamCodeOf(error: unknown): string | null {
  const code = codeText(asObject(error)?.code ?? error);
  return /^[A-Za-z][\w.]{0,99}$/.test(code) ? code : null;
}

/** Null when the body is no task, or a finished task without its video. */
export function readTask(body: JsonObject | null): VideoState | null {
  const task = typeof body?.status === "string" ? body : asObject(body?.data);
  if (typeof task?.status !== "string") return null;
  const status = taskStatusOf(task.status);
  if (isTaskOpen(status)) return { status };
  if (status !== "succeeded") {
    const error = task.error ?? task.failure_reason;
    const ended = failedState(status, error);
    const isOwn = ended.code !== "upstream_failed";
    const upstreamCode = isOwn ? upstreamCodeOf(error) : null;
    return upstreamCode === null ? ended : { ...ended, upstreamCode };
  }
  const videoUrl = webAddress(asObject(task.content)?.video_url ?? task.video_url);
  if (videoUrl === null) return null;
  const lastFrameUrl = webAddress(asObject(task.content)?.last_frame_url);
  const { tokens, fault, reported } = readTokens(task.usage);
  return {
    status,
    videoUrl,
    outputTokens: tokens,
    usageFault: fault,
    reported,
    ...(lastFrameUrl !== null && { lastFrameUrl }),
    facts: factsOf(task),
  };
}
