/** The steps of an image that a call which waits for it and a task have in common. */
import { imageTokens } from "../../catalog/image-sizes";
import type { Log } from "../../http/serve";
import type { InlineImages } from "../../json/inline-images";
import type { KeptMedia, MediaStore } from "../../media/media-store";
import type { TokenUsage } from "../../pricing/usage";
import type { ImageSpec } from "../../results/image-results";
import { storedImages } from "../../results/kept-settings";
import type { ImageOrder, ImageResult } from "../../upstream/media-provider";
import type { Channel } from "../../upstream/provider";
import { type ImagePurchase, usageOf } from "./image-order";

export type Delivered = Extract<ImageResult, { isOk: true }>;
export type PixelSize = Pick<ImageSpec, "width" | "height">;

/** What is stored of an order. */
export function specOf(order: ImagePurchase, ratio: string | null): ImageSpec {
  const { prompt, width, height, quality, seed, imageUrls } = order;
  return {
    prompt,
    width,
    height,
    ratio,
    seed,
    ...(quality !== null && { quality }),
    pictures: storedImages("reference_image", imageUrls),
  };
}

/** The order as an upstream gets it. */
export function upstreamOrderOf(
  model: string,
  { prompt, width, height, seed, quality }: ImageSpec,
  imageUrls: readonly string[],
  inlineImages?: InlineImages,
): ImageOrder {
  return { model, prompt, width, height, imageUrls, inlineImages, seed, quality: quality ?? null };
}

/** Copies the result into our store. Rejects when it cannot be fetched or is no image. */
export function keepImage(
  media: MediaStore,
  channel: Channel,
  { image }: Delivered,
  accountId: string,
): Promise<KeptMedia> {
  return "bytes" in image
    ? media.keep("image", image.bytes, accountId)
    : media.copy("image", channel, image.url, accountId);
}

export const sizeOfKept = (kept: KeptMedia): PixelSize => kept.size ?? { width: 0, height: 0 };

/**
 * What a delivered image is charged by: its pixels, and one image of the size class and quality that
 * were ordered.
 */
export function billOf(
  spec: ImageSpec,
  delivered: Delivered,
  { width, height }: PixelSize,
): { readonly usage: TokenUsage; readonly reported: object } {
  const reported = delivered.outputTokens === null ? {} : { output_tokens: delivered.outputTokens };
  return {
    usage: usageOf(spec, imageTokens(width, height)),
    reported: { ...reported, width, height },
  };
}

/** Logs what came where it is not what was ordered, or not what the upstream counted. */
export function noteSizes(
  log: Log,
  named: object,
  spec: ImageSpec,
  delivered: Delivered,
  { width, height }: PixelSize,
): void {
  const fields = {
    ...named,
    asked: `${spec.width}x${spec.height}`,
    came: `${width}x${height}`,
  };
  const [ordered, tokens] = [imageTokens(spec.width, spec.height), imageTokens(width, height)];
  if (tokens > ordered)
    log.error({ alarm: "usage_over_hold", ...fields }, "an image is larger than it was ordered");
  else if (tokens !== ordered) log.warn(fields, "an image is smaller than it was ordered");
  if (delivered.outputTokens !== null && delivered.outputTokens !== tokens) {
    log.warn(
      { ...fields, reported: delivered.outputTokens, counted: tokens },
      "the upstream's token count of an image differs from ours",
    );
  }
}
