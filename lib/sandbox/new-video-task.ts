/** A video task of the sandbox, as its order asks for it. */
import { randomUUID } from "node:crypto";
import type { VideoModel } from "../catalog/models";
import {
  FRAMES_PER_SECOND,
  type PixelSize,
  type Ratio,
  type Resolution,
  secondsOfFrames,
  videoSize,
  videoTokens,
} from "../catalog/video-sizes";
import { settingNames } from "../contract/video-settings";
import type { Misbehaviour } from "./misbehaviour";
import type { RequestLogEntry } from "./request-log";

export interface TaskBody {
  readonly model?: unknown;
  readonly content?: readonly {
    readonly type?: unknown;
    readonly text?: unknown;
    readonly role?: unknown;
    readonly draft_task?: { readonly id?: unknown };
  }[];
  readonly resolution?: unknown;
  readonly ratio?: unknown;
  readonly duration?: unknown;
  readonly frames?: unknown;
  readonly seed?: unknown;
  readonly generate_audio?: unknown;
  readonly draft?: unknown;
  readonly tools?: unknown;
}

export interface Task {
  readonly entry: RequestLogEntry;
  readonly order: Misbehaviour;
  readonly prompt: string;
  readonly size: PixelSize;
  /** The members of the order that a poll returns. */
  readonly shown: { readonly [name: string]: unknown; readonly duration: number };
  /** What the calls of tools add to the usage. */
  readonly toolUsage: object;
  readonly createdAt: number;
  updatedAt: number;
  status: "queued" | "running" | "succeeded" | "failed" | "cancelled";
  error: { readonly code: string; readonly message: string } | null;
  videoPath: string | null;
  lastFramePath: string | null;
}

/** The seconds of each video that one is made from. */
const INPUT_SECONDS = 2;
/** The share of its tokens that a draft counts. */
const DRAFT_SHARE = 0.6;

function secondsOf(model: VideoModel, { duration, frames }: TaskBody): number {
  if (typeof frames === "number") return secondsOfFrames(frames);
  return typeof duration === "number" && duration > 0 ? duration : model.durationSecondsDefault;
}

function tokensOf(model: VideoModel, size: PixelSize, seconds: number, body: TaskBody): number {
  const videos = (body.content ?? []).filter(({ type }) => type === "video_url").length;
  const most = model.offers.input_videos?.seconds_max ?? 0;
  const tokens = videoTokens(size, seconds + Math.min(videos * INPUT_SECONDS, most));
  return body.draft === true ? Math.ceil(tokens * DRAFT_SHARE) : tokens;
}

/** The settings of an order that a poll returns as they came. */
const echoOf = (body: TaskBody & { readonly [name: string]: unknown }): object =>
  Object.fromEntries(
    settingNames.flatMap((name) => (body[name] === undefined ? [] : [[name, body[name]]])),
  );

/** `draft`: the task whose draft is made into its video. */
export function newTask(
  model: VideoModel,
  body: TaskBody,
  order: Misbehaviour,
  prompt: string,
  draft?: Task,
): Task {
  const resolution = (body.resolution ?? model.resolutionDefault) as Resolution;
  const asked = draft?.shown.ratio ?? body.ratio;
  const ratio = (asked === undefined || asked === "adaptive" ? model.ratioDefault : asked) as Ratio;
  const duration = draft?.shown.duration ?? secondsOf(model, body);
  const size = videoSize(model.sizeGeneration, resolution, ratio);
  const entry = {
    id: `cgt-sandbox-${randomUUID()}`,
    isStream: false,
    inputTokens: 0,
    outputTokens: size === undefined ? 0 : tokensOf(model, size, duration, body),
    capTokens: null,
    isDelivered: false,
  };
  const random = Number.parseInt(entry.id.slice(-6), 16);
  const shown = {
    seed: draft?.shown.seed ?? (typeof body.seed === "number" ? body.seed : random),
    resolution,
    ratio,
    duration,
    framespersecond: FRAMES_PER_SECOND,
    generate_audio: draft?.shown.generate_audio ?? body.generate_audio === true,
    ...echoOf({ ...body }),
  };
  const now = Date.now();
  return {
    entry,
    order,
    prompt: draft?.prompt ?? prompt,
    size,
    shown,
    toolUsage:
      Array.isArray(body.tools) && body.tools.length > 0 ? { tool_usage: { web_search: 1 } } : {},
    createdAt: now,
    updatedAt: now,
    status: "queued",
    error: null,
    videoPath: null,
    lastFramePath: null,
  };
}
