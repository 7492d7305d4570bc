/** Images and videos that the people of the demo order on ordinary days. */
import { parseImageSize } from "@/lib/catalog/image-sizes";
import { findModel, firstModelOf, type VideoModel } from "@/lib/catalog/models";
import type { Ratio, Resolution } from "@/lib/catalog/video-sizes";
import { SEED_MAX } from "@/lib/contract/limits";
import type { HabitualOrder, ImageOrder, VideoOrder } from "./orders";
import type { Person } from "./people";
import { chineseImagePrompts, chineseVideoPrompts, imagePrompts, videoPrompts } from "./prompts";
import type { Random } from "./random";
import { DAY, HOUR } from "./rhythm";

/** Links to results work for a day: the files of these are made. */
const FILE_AGE_MAX = 25 * HOUR;
/** When the second channel of videos stopped taking new ones. */
const RESERVE_DRAINED = 9 * DAY;

const isYoung = (at: number, end: number): boolean => at > end - FILE_AGE_MAX;
const isChinese = ({ name }: Person) => /\p{Script=Han}/u.test(name);

export function imageOrder({ at, end, person, habit, random }: HabitualOrder): ImageOrder {
  const model = firstModelOf("image");
  const ratio = random.weighted([
    ["1:1", 5],
    ["16:9", 3],
    ["3:4", 2],
    ["9:16", 2],
    ["3:2", 1],
  ] as const);
  // A smaller size, such as drafts have, is drawn faster too.
  const isDraft = isYoung(at, end) || random.chance(0.3);
  const size = isDraft ? "1024x1024" : (model.ratioSizes[ratio] ?? model.sizeDefault);
  const [width, height] = parseImageSize(size) ?? [1024, 1024];
  return {
    family: "image",
    at,
    person,
    key: habit.key,
    model: model.id,
    channel: "northlight",
    prompt: random.pick(isChinese(person) ? chineseImagePrompts : imagePrompts),
    width,
    height,
    ratio: isDraft ? "1:1" : ratio,
    durationMs: Math.round(random.around(9500, 0.35)),
    failure: random.weighted([
      [null, 96],
      ["content_rejected", 2.5],
      ["upstream_failed", 1.5],
    ]),
    loss: null,
    hasFile: isYoung(at, end),
  };
}

function videoModel(name: string): VideoModel {
  const model = findModel(name);
  return model?.family === "video" ? model : firstModelOf("video");
}

interface VideoWish {
  readonly prompt: string;
  readonly resolution: Resolution;
  readonly ratio: Ratio;
  readonly seconds: number;
}

/** The parameters of a video as the relay stores them. */
function videoSpec(
  model: VideoModel,
  { prompt, resolution, ratio, seconds }: VideoWish,
  random: Random,
): VideoOrder["spec"] {
  return {
    prompt,
    resolution,
    ratio,
    durationSeconds: Math.max(
      model.durationSecondsMin,
      Math.min(model.durationSecondsMax, seconds),
    ),
    seed: random.chance(0.5) ? random.whole(0, SEED_MAX) : null,
    generateAudio: model.hasAudio && random.chance(0.4),
    watermark: false,
    cameraFixed: random.chance(0.2) ? true : null,
    pictures: [],
  };
}

const endings = [
  [null, 90],
  ["content_rejected", 5],
  ["upstream_failed", 3],
  ["task_cancelled", 2],
] as const;

export function videoOrder({ at, end, person, habit, random }: HabitualOrder): VideoOrder {
  const model = videoModel(random.weighted(habit.models));
  const wish = {
    prompt: random.pick(isChinese(person) ? chineseVideoPrompts : videoPrompts),
    resolution: isYoung(at, end)
      ? ("480p" as const)
      : random.weighted([
          ["480p", 5],
          ["720p", 4],
        ] as const),
    ratio: random.weighted([
      ["16:9", 6],
      ["9:16", 3],
      ["1:1", 1],
    ] as const),
    seconds: random.weighted([
      [5, 7],
      [8, isYoung(at, end) ? 0 : 2],
      [10, isYoung(at, end) ? 0 : 1],
    ]),
  };
  const failure = random.weighted(endings);
  const queuedMs = Math.round(random.around(7000, 0.6));
  const isReserve = habit.key !== null && at < end - RESERVE_DRAINED && random.chance(0.25);
  const isHooked = habit.key === "Production" && random.chance(0.5);
  return {
    family: "video",
    at,
    person,
    key: habit.key,
    model: model.id,
    channel: isReserve && !model.hasAudio ? "reserve" : "northlight",
    spec: videoSpec(model, wish, random),
    queuedMs: failure === "task_cancelled" ? null : queuedMs,
    durationMs: queuedMs + Math.round(random.around(wish.seconds * 11_000, 0.3)),
    ending: failure === null ? "succeeded" : failure === "task_cancelled" ? "cancelled" : "failed",
    failure,
    loss: null,
    hasFile: isYoung(at, end),
    callbackUrl: isHooked ? "https://hooks.lumen-films.example/relay" : null,
    pollFailures: 0,
  };
}
