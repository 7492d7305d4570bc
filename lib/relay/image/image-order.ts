/** Checks an image order and prices it: its size is known, so its price is exact. */
import type { Principal } from "../../accounts/principal";
import { imageTokens, parseImageSize } from "../../catalog/image-sizes";
import type { ImageModel } from "../../catalog/models";
import { type ImageRequest, qualitiesWithoutEffect } from "../../contract/image";
import { RelayError } from "../../failures/relay-error";
import type { Fault } from "../../failures/value-faults";
import type { Micropoints } from "../../money/points";
import type { PriceBook } from "../../price-book/price-version";
import { USUAL_QUALITY } from "../../pricing/typical";
import type { TokenUsage } from "../../pricing/usage";
import type { ImageSpec } from "../../results/image-results";
import type { ImageSettings } from "../../upstream/media-provider";
import { holdAmountOf } from "../order/charge";
import { findModelOf, type PricedModel, priced } from "../order/find-model";
import { orderedCount } from "./image-count";
import { orderedSettings } from "./image-settings";

export interface ImagePurchase extends PricedModel<ImageModel> {
  readonly prompt: string;
  readonly width: number;
  readonly height: number;
  readonly imageUrls: readonly string[];
  readonly seed: number | null;
  /** What the order is expected to be charged for, and at most. */
  readonly usage: TokenUsage;
  /** The quality that was ordered, or the model's default; null when it has none. */
  readonly quality: string | null;
  /** The name by which the size was ordered, such as 2K; null when it was in pixels. */
  readonly sizeName: string | null;
  /** The most images that it may make. */
  readonly count: number;
  readonly settings: ImageSettings;
  readonly holdAmount: Micropoints;
}

function unsupported(param: string, value: string, allowed: string, fault: Fault): RelayError {
  return new RelayError("unsupported_value", {
    message: `\`${param}\` is ${JSON.stringify(value.slice(0, 40))}: ${allowed}.`,
    param,
    fault,
  });
}

function checkedSize(text: string, model: ImageModel): readonly [width: number, height: number] {
  const { sidePixelsMin, sidePixelsMax, pixelsMax } = model;
  const size = parseImageSize(text);
  if (!size) {
    const message = `\`size\` is ${JSON.stringify(text.slice(0, 40))}: it must be <width>x<height> in pixels, such as ${model.sizeDefault}.`;
    const fault = { name: "size_form", example: model.sizeDefault } as const;
    throw new RelayError("invalid_value", { message, param: "size", fault });
  }
  const isInside =
    size.every((side) => side >= sidePixelsMin && side <= sidePixelsMax) &&
    size[0] * size[1] <= pixelsMax;
  if (model.sizes !== null && !model.sizes.includes(size.join("x"))) {
    const options = model.sizes.join(", ");
    const fault = { name: "not_an_option", options } as const;
    throw unsupported("size", text, `${model.id} allows ${options}`, fault);
  }
  if (!isInside) {
    throw unsupported(
      "size",
      text,
      `each side must have ${sidePixelsMin} to ${sidePixelsMax} pixels, and the image at most ${pixelsMax} pixels`,
      { name: "size_outside", min: sidePixelsMin, max: sidePixelsMax, pixels: pixelsMax },
    );
  }
  return size;
}

function sizeOf(
  { size, ratio }: ImageRequest,
  model: ImageModel,
): readonly [width: number, height: number] {
  const named = typeof size === "string" && size !== "auto" ? size : null;
  const own = named === null ? null : checkedSize(named, model);
  if (typeof ratio !== "string") return own ?? checkedSize(model.sizeDefault, model);
  const usual = Object.hasOwn(model.ratioSizes, ratio) ? model.ratioSizes[ratio] : undefined;
  if (usual === undefined) {
    const options = Object.keys(model.ratioSizes).join(", ");
    throw unsupported("ratio", ratio, `it must be one of ${options}`, {
      name: "not_an_option",
      options,
    });
  }
  const [width, height] = checkedSize(usual, model);
  if (named === null || !own) return [width, height];
  // Any size of that shape is accepted, not only the one in the table. A pixel of rounding is
  // allowed.
  const [across = Number.NaN, down = Number.NaN] = ratio.split(":").map(Number);
  if (
    Math.abs(own[0] - (own[1] * across) / down) > 1 &&
    Math.abs(own[1] - (own[0] * down) / across) > 1 &&
    usual !== named
  ) {
    throw unsupported(
      "size",
      named,
      `it does not match the \`ratio\` ${ratio}, whose size is ${usual}; send only one of them, or matching values`,
      { name: "size_not_of_ratio", ratio, size: usual },
    );
  }
  return own;
}

/** The name of a size that the model has, in either case of its letter; null for any other size. */
function namedSize({ size, ratio }: ImageRequest, model: ImageModel): string | null {
  const name = typeof size === "string" ? size.toUpperCase() : "";
  if (!Object.hasOwn(model.options.sizeNames, name)) return null;
  if (typeof ratio !== "string") return name;
  const allowed = "a size with a name has no ratio: send a size in pixels, or only one of them";
  throw unsupported("size", name, allowed, { name: "size_form", example: model.sizeDefault });
}

export const refuseModel = (name: string, generates: string) =>
  unsupported("model", name, `it generates ${generates}, not images; send an image model`, {
    name: "wrong_family",
    model: name.slice(0, 60),
  });

function orderedQuality(
  { quality }: ImageRequest,
  { model, price }: PricedModel<ImageModel>,
): string | null {
  const asked = typeof quality === "string" && quality !== "auto" ? quality : null;
  const isDeclared = model.qualities.length > 0;
  if (asked !== null && !(isDeclared ? model.qualities : qualitiesWithoutEffect).includes(asked)) {
    const options = (isDeclared ? model.qualities : qualitiesWithoutEffect).join(", ");
    throw unsupported(
      "quality",
      asked,
      isDeclared
        ? `${model.id} allows ${options}`
        : `it must be one of ${options}; only the pixels are billed`,
      { name: "not_an_option", options },
    );
  }
  if (isDeclared) return asked ?? model.qualityDefault;
  // A model of an earlier release, whose qualities stand in its rates only.
  const isPriced = price.price.others?.some((rate) => rate.quality !== undefined);
  return isPriced ? (asked ?? USUAL_QUALITY) : null;
}

type SizeAndQuality = Pick<ImageSpec, "width" | "height" | "sizeName" | "quality" | "time">;

interface ImageCounts {
  readonly images: number;
  /** Of each image: 1 for one that stands still. */
  readonly frames: number;
  readonly outputTokens: number;
  readonly inputImages: number;
  readonly partialImages: number;
  readonly toolCalls: number;
}

/** The quantities that an order of this size is charged for. Each frame counts as an image. */
export function usageOf(
  { width, height, sizeName, quality, time }: SizeAndQuality,
  { images, frames, outputTokens, inputImages, partialImages, toolCalls }: ImageCounts,
): TokenUsage {
  const size = sizeName ?? `${width}x${height}`;
  const ordered = { size, ...(quality !== undefined && { quality }), ...(time && { time }) };
  return {
    inputTokens: 0,
    outputTokens: outputTokens * frames,
    images: images * frames,
    ...(inputImages > 0 && { inputImages }),
    ...(partialImages > 0 && { partialImages }),
    ...(toolCalls > 0 && { toolCalls }),
    ordered,
  };
}

/**
 * Prices an image order. Nothing is spent yet. Throws what the client must change, or
 * `price_missing`.
 */
export function orderImage(
  request: ImageRequest,
  principal: Principal,
  priceBook: PriceBook,
): ImagePurchase {
  const model = findModelOf("image", request.model, principal, refuseModel);
  const imageUrls = typeof request.image === "string" ? [request.image] : (request.image ?? []);
  if (
    imageUrls.length > model.referenceImagesMax ||
    (Array.isArray(request.image) && imageUrls.length === 0)
  ) {
    const message = `\`image\` has ${imageUrls.length} items: it must have 1 to ${model.referenceImagesMax}.`;
    const bound = model.referenceImagesMax;
    throw new RelayError("unsupported_value", {
      message,
      param: "image",
      fault:
        imageUrls.length > bound
          ? { name: "too_many", sent: imageUrls.length, bound }
          : { name: "missing" },
    });
  }
  const sizeName = namedSize(request, model);
  const [width, height] =
    sizeName === null
      ? sizeOf(request, model)
      : (parseImageSize(model.options.sizeNames[sizeName] ?? "") ??
        checkedSize(model.sizeDefault, model));
  const count = orderedCount(request, model);
  const sold = priced(model, principal, priceBook);
  const settings = orderedSettings(request, model, sold.price.price);
  const quality = orderedQuality(request, sold);
  const overlay = settings.hasMask ? request.mask : settings.hasMarkup ? request.markup : null;
  const pictures = overlay ? [...imageUrls, overlay] : imageUrls;
  const usage = usageOf(
    {
      width,
      height,
      ...(sizeName !== null && { sizeName }),
      ...(quality !== null && { quality }),
      ...(sold.time && { time: sold.time }),
    },
    {
      images: count,
      frames: settings.frames ?? 1,
      outputTokens: count * imageTokens(width, height),
      inputImages: pictures.length,
      partialImages: count * (settings.partialImages ?? 0),
      toolCalls: settings.tools ? (model.options.tools?.calls_max ?? 0) : 0,
    },
  );
  return {
    ...sold,
    prompt: request.prompt,
    width,
    height,
    imageUrls: pictures,
    seed:
      request.seed === undefined || request.seed === null || request.seed === -1
        ? null
        : request.seed,
    usage,
    quality,
    sizeName,
    count,
    settings,
    holdAmount: holdAmountOf(usage, sold),
  };
}
