/** Reads an Ark-like upstream's answer to a poll into one of our task states. */
import { isTaskOpen } from "../../contract/states";
import { log } from "../../log";
import type { VideoFacts, VideoState } from "../media-provider";
import type { JsonObject, UsageFault } from "../provider";
import { isStorableUsage, isTokenCount, webAddress } from "../transport/answer-members";
import { readResultFault } from "../transport/media-failure";
import { asObject } from "../transport/upstream-json";

type Status = VideoState["status"];

/** Ark's names of the states, and those of gateways that resell it, in lower case. */
const statuses: Readonly<Record<string, Status>> = {
  queued: "queued",
  pending: "queued",
  submitted: "queued",
  created: "queued",
  waiting: "queued",
  in_queue: "queued",
  not_start: "queued",
  running: "running",
  processing: "running",
  in_progress: "running",
  generating: "running",
  succeeded: "succeeded",
  success: "succeeded",
  successful: "succeeded",
  completed: "succeeded",
  complete: "succeeded",
  finished: "succeeded",
  done: "succeeded",
  failed: "failed",
  failure: "failed",
  fail: "failed",
  error: "failed",
  rejected: "failed",
  cancelled: "cancelled",
  canceled: "cancelled",
  expired: "expired",
};

const unknownStatuses = new Set<string>();
const UNKNOWN_STATUSES_MAX = 100;

function statusOf(raw: string): Status {
  const name = raw.trim().toLowerCase();
  const known = Object.hasOwn(statuses, name) ? statuses[name] : undefined;
  if (known) return known;
  // An unknown state counts as running: the poller limits a task's age anyway.
  if (
    unknownStatuses.size < UNKNOWN_STATUSES_MAX &&
    /^\w{1,40}$/.test(name) &&
    !unknownStatuses.has(name)
  ) {
    unknownStatuses.add(name);
    log.warn({ status: name }, "An upstream sent an unknown task status; it counts as running.");
  }
  return "running";
}

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
const positive = (value: unknown) =>
  typeof value === "number" && Number.isFinite(value) && value > 0 && value < 1e6 ? value : null;

function factsOf(task: JsonObject): VideoFacts {
  const framesPerSecond = positive(task.framespersecond);
  const frames = positive(task.frames);
  return {
    resolution: shortText(task.resolution),
    ratio: shortText(task.ratio),
    durationSeconds:
      positive(task.duration) ??
      (frames !== null && framesPerSecond !== null ? frames / framesPerSecond : null),
    framesPerSecond,
    seed: typeof task.seed === "number" && Number.isSafeInteger(task.seed) ? task.seed : null,
  };
}

/** Null when the body is no task, or a finished task without its video. */
export function readTask(body: JsonObject | null): VideoState | null {
  const task = typeof body?.status === "string" ? body : asObject(body?.data);
  if (typeof task?.status !== "string") return null;
  const status = statusOf(task.status);
  if (isTaskOpen(status)) return { status };
  if (status !== "succeeded") {
    const { code, internal } = readResultFault(task.error ?? task.failure_reason ?? null);
    return {
      status,
      code: status === "failed" ? code : "upstream_failed",
      internal: `${status}; ${internal}`,
    };
  }
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
