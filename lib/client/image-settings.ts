import { makesSize, parseImageSize } from "../catalog/image-sizes";
import type { ImageModel } from "../catalog/models";
import { SEED_MAX } from "../contract/limits";
import type { TaskView } from "../contract/tasks";

/** A call for each image, one for all, or one for as many as the model decides. */
export const imageWays = ["calls", "together", "sequence"] as const;
export type ImageWay = (typeof imageWays)[number];

/** As chosen. A model that does not offer something makes what comes nearest: `imageBody`. */
export interface ImageSettings {
  model: ImageModel;
  prompt: string;
  /** Null when an exact size was chosen. */
  ratio: string | null;
  /** The name of a size, such as 2K; null for one in pixels. */
  sizeName: string | null;
  width: number;
  height: number;
  /** Null for a model without qualities. */
  quality: string | null;
  references: readonly string[];
  seed: number | null;
  way: ImageWay;
  count: number;
  more: TaskView["settings"]["more"];
}

export interface ImageFieldsProps {
  settings: ImageSettings;
  onChange: (settings: ImageSettings) => void;
}

/** The most separate calls at once. */
const CALLS_MAX = 4;

export function imageSettingsOf(model: ImageModel): ImageSettings {
  const [width = 0, height = 0] = parseImageSize(model.sizeDefault) ?? [];
  const ratio =
    model.sizes === null
      ? (Object.entries(model.ratioSizes).find(([, size]) => size === model.sizeDefault)?.[0] ??
        null)
      : null;
  return {
    model,
    prompt: "",
    ratio,
    sizeName: null,
    width,
    height,
    quality: model.qualityDefault,
    references: [],
    seed: null,
    way: "together",
    count: 1,
    more: {},
  };
}

export const wayOf = ({ model, way }: ImageSettings): ImageWay =>
  model.options.imagesMax > 1 ? way : "calls";

export const countMax = (settings: ImageSettings): number =>
  wayOf(settings) === "calls" ? CALLS_MAX : settings.model.options.imagesMax;

export const countOf = (settings: ImageSettings): number =>
  Math.min(settings.count, countMax(settings));

export const sizeNameOf = ({ model, sizeName }: ImageSettings): string | null =>
  sizeName !== null && Object.hasOwn(model.options.sizeNames, sizeName) ? sizeName : null;

/** The same settings for another model: a size that it does not make becomes its default. */
export function withImageModel(settings: ImageSettings, model: ImageModel): ImageSettings {
  const { quality, references } = settings;
  const next = {
    ...settings,
    model,
    quality: model.qualities.find((each) => each === quality) ?? model.qualityDefault,
    references: references.slice(0, model.referenceImagesMax),
  };
  const ratio = settings.ratio ?? "";
  if (model.sizes === null && Object.hasOwn(model.ratioSizes, ratio)) return withRatio(next, ratio);
  const usual = imageSettingsOf(model);
  const { width, height } = makesSize(model, [next.width, next.height]) ? next : usual;
  const isUsual = width === usual.width && height === usual.height;
  return { ...next, width, height, ratio: isUsual ? usual.ratio : null };
}

/** The settings with the size that belongs to a ratio. */
export function withRatio(settings: ImageSettings, ratio: string): ImageSettings {
  const [width, height] = parseImageSize(settings.model.ratioSizes[ratio] ?? "") ?? [
    settings.width,
    settings.height,
  ];
  return { ...settings, sizeName: null, ratio, width, height };
}

export const isSide = (model: ImageModel, pixels: number) =>
  pixels >= model.sidePixelsMin && pixels <= model.sidePixelsMax;
export const hasTooMany = ({ model, width, height }: ImageSettings) =>
  width * height > model.pixelsMax;

function sizeField(settings: ImageSettings): object {
  const { ratio, width, height } = settings;
  const name = sizeNameOf(settings);
  if (name !== null) return { size: name };
  return ratio === null ? { size: `${width}x${height}` } : { ratio };
}

function countField(settings: ImageSettings): object {
  const [way, count] = [wayOf(settings), countOf(settings)];
  if (way === "sequence")
    return {
      sequential_image_generation: "auto",
      sequential_image_generation_options: { max_images: count },
    };
  return way === "together" && count > 1 ? { n: count } : {};
}

/** What the model offers of it. */
function moreField({ model: { options }, more }: ImageSettings): object {
  const { output_format: format, guidance_scale: scale, prompt_mode: mode } = more;
  const { guidance } = options;
  return {
    ...(options.formats.some((each) => each === format) && { output_format: format }),
    ...(guidance !== null &&
      typeof scale === "number" && {
        guidance_scale: Math.min(guidance.max, Math.max(guidance.min, scale)),
      }),
    ...(options.promptModes.some((each) => each === mode) && { optimize_prompt_options: { mode } }),
    ...(options.hasWatermark && more.watermark && { watermark: true }),
  };
}

/** The request body; null while the settings are incomplete. */
export function imageBody(settings: ImageSettings): object | null {
  const { model, prompt, width, height, quality, references, seed } = settings;
  const isMade = sizeNameOf(settings) !== null || makesSize(model, [width, height]);
  if (prompt.trim() === "" || !isMade) return null;
  return {
    model: model.id,
    prompt,
    ...sizeField(settings),
    ...(quality === null ? {} : { quality }),
    ...(references.length > 0 ? { image: references } : {}),
    ...(seed === null ? {} : { seed }),
    ...countField(settings),
    ...moreField(settings),
  };
}

/**
 * The bodies of all calls. A seed is counted up: the same seed would give the same image in each.
 */
export function imageBodies(settings: ImageSettings): object[] {
  const calls = wayOf(settings) === "calls" ? countOf(settings) : 1;
  return Array.from({ length: calls }, (_, at) => {
    const seed = settings.seed === null ? null : (settings.seed + at) % (SEED_MAX + 1);
    return imageBody({ ...settings, seed });
  }).filter((body) => body !== null);
}

type Sized = Pick<ImageSettings, "ratio" | "sizeName" | "width" | "height">;

/** The size that was ordered, where the model still makes it. */
function storedSize({ settings }: TaskView, model: ImageModel, usual: ImageSettings): Sized {
  const { width, height, ratio, sizeName } = settings;
  if (width === null || height === null) return usual;
  const isOfRatio =
    ratio !== null && model.sizes === null && model.ratioSizes[ratio] === `${width}x${height}`;
  return { width, height, sizeName, ratio: isOfRatio ? ratio : null };
}

/** The stored settings of an image; null when its model is no longer offered to the person. */
export function imageSettingsOfTask(
  task: TaskView,
  offered: readonly ImageModel[],
): ImageSettings | null {
  const model = offered.find(({ id }) => id === task.model);
  if (!model) return null;
  const usual = imageSettingsOf(model);
  const { settings } = task;
  return {
    ...usual,
    ...storedSize(task, model, usual),
    quality: model.qualities.find((each) => each === settings.quality) ?? usual.quality,
    prompt: settings.prompt ?? "",
    references: settings.pictures.flatMap(({ url }) => (url === null ? [] : [url])),
    seed: settings.seed,
    way: settings.isSequence ? "sequence" : "together",
    count: settings.count,
    more: settings.more,
  };
}
