import { makesSize, parseImageSize } from "../catalog/image-sizes";
import type { ImageModel } from "../catalog/models";
import { SEED_MAX } from "../contract/limits";
import type { TaskView } from "../contract/tasks";

export interface ImageSettings {
  model: ImageModel;
  prompt: string;
  /** Null when an exact size was chosen. */
  ratio: string | null;
  width: number;
  height: number;
  /** Null for a model without qualities. */
  quality: string | null;
  references: readonly string[];
  seed: number | null;
  /** The number of images; each is a separate request. */
  count: number;
}

export const imageCounts = [1, 2, 3, 4] as const;

export function imageSettingsOf(model: ImageModel): ImageSettings {
  const [width = 0, height = 0] = parseImageSize(model.sizeDefault) ?? [];
  const ratio =
    model.sizes === null
      ? (Object.entries(model.ratioSizes).find(([, size]) => size === model.sizeDefault)?.[0] ??
        null)
      : null;
  const quality = model.qualityDefault;
  return { model, prompt: "", ratio, width, height, quality, references: [], seed: null, count: 1 };
}

/** The same settings for another model: what it cannot make becomes its default. */
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
  return { ...settings, ratio, width, height };
}

export const isSide = (model: ImageModel, pixels: number) =>
  pixels >= model.sidePixelsMin && pixels <= model.sidePixelsMax;
export const hasTooMany = ({ model, width, height }: ImageSettings) =>
  width * height > model.pixelsMax;

/** The request body; null while the settings are incomplete. */
export function imageBody(settings: ImageSettings): object | null {
  const { model, prompt, ratio, width, height, quality, references, seed } = settings;
  if (prompt.trim() === "" || !makesSize(model, [width, height])) return null;
  return {
    model: model.id,
    prompt,
    ...(ratio === null ? { size: `${width}x${height}` } : { ratio }),
    ...(quality === null ? {} : { quality }),
    ...(references.length > 0 ? { image: references } : {}),
    ...(seed === null ? {} : { seed }),
  };
}

/** One body per image. A seed is counted up: the same seed would give the same image. */
export function imageBodies(settings: ImageSettings): object[] {
  return Array.from({ length: settings.count }, (_, at) => {
    const seed = settings.seed === null ? null : (settings.seed + at) % (SEED_MAX + 1);
    return imageBody({ ...settings, seed });
  }).filter((body) => body !== null);
}

/** The stored settings of an image; null when its model is no longer offered to the person. */
export function imageSettingsOfTask(
  { model: name, settings }: TaskView,
  offered: readonly ImageModel[],
): ImageSettings | null {
  const model = offered.find(({ id }) => id === name);
  if (!model) return null;
  const usual = imageSettingsOf(model);
  const { width, height } = settings;
  const size = width === null || height === null ? null : { width, height };
  const isOfRatio =
    size !== null &&
    settings.ratio !== null &&
    model.sizes === null &&
    model.ratioSizes[settings.ratio] === `${size.width}x${size.height}`;
  return {
    model,
    quality: model.qualities.find((each) => each === settings.quality) ?? usual.quality,
    prompt: settings.prompt ?? "",
    ratio: size === null ? usual.ratio : isOfRatio ? settings.ratio : null,
    ...(size ?? { width: usual.width, height: usual.height }),
    references: settings.pictures.flatMap(({ url }) => (url === null ? [] : [url])),
    seed: settings.seed,
    count: 1,
  };
}
