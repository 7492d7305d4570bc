/** The steps of an order that a call which waits for its images and a task have in common. */
import { imageTokens } from "../../catalog/image-sizes";
import type { ImageLayer } from "../../contract/image-layer";
import type { Log } from "../../http/serve";
import type { InlineImages } from "../../json/inline-images";
import { ResultError } from "../../media/fetch-result";
import type { KeptMedia, MediaStore } from "../../media/media-store";
import type { TokenUsage } from "../../pricing/usage";
import type { ImageItem, ImageSpec } from "../../results/image-results";
import { storedImages } from "../../results/kept-settings";
import type { ImageOrder, ImageResult, MadeImage } from "../../upstream/media-provider";
import type { Channel } from "../../upstream/provider";
import { isMoving } from "./image-answer";
import { type ImagePurchase, usageOf } from "./image-order";

export type Delivered = Extract<ImageResult, { isOk: true }>;

/** What is stored of an order. */
export function specOf(order: ImagePurchase, ratio: string | null): ImageSpec {
  const { prompt, width, height, quality, time, seed, imageUrls } = order;
  const { sizeName, count, settings } = order;
  return {
    prompt,
    width,
    height,
    ratio,
    seed,
    ...(quality !== null && { quality }),
    ...(time && { time }),
    ...(sizeName !== null && { sizeName }),
    ...(count > 1 && { count }),
    ...(Object.keys(settings).length > 0 && { settings }),
    pictures: storedImages("reference_image", imageUrls),
  };
}

/** The order as an upstream gets it. */
export function upstreamOrderOf(
  model: string,
  spec: ImageSpec,
  imageUrls: readonly string[],
  inlineImages?: InlineImages,
): ImageOrder {
  const { prompt, width, height, sizeName, seed, quality, count = 1, settings } = spec;
  const size = sizeName ?? `${width}x${height}`;
  return {
    model,
    prompt,
    size,
    count,
    imageUrls,
    inlineImages,
    seed,
    quality: quality ?? null,
    ...settings,
  };
}

type KeptFile = KeptMedia & {
  readonly width: number;
  readonly height: number;
  readonly layer?: ImageLayer;
};

/** The images of an order that are in our store, and why others are missing. */
export interface KeptImages {
  readonly files: readonly [KeptFile, ...KeptFile[]];
  /** In the order of the answer. */
  readonly items: readonly ImageItem[];
}

/** Who lost an image that was made: the upstream, whose file cannot be had, or our own store. */
export const lostBy = (error: unknown) =>
  error instanceof ResultError ? "upstream_bad_response" : "internal_error";

/** Copies the images of one order into our store, one after another as they come. */
export class ImageKeeper {
  readonly #files: KeptFile[] = [];
  readonly #items: ImageItem[] = [];
  #taken = 0;
  #failure: unknown;
  #last: Promise<unknown> = Promise.resolve();

  constructor(
    readonly media: MediaStore,
    readonly channel: Channel,
    readonly accountId: string,
    /** Gets each one that is stored, or why it is missing. */
    readonly onKept: (item: KeptFile | { readonly error: string }) => unknown = () => {},
  ) {}

  take(image: Delivered["images"][number]): void {
    this.#taken++;
    this.#last = this.#last.then(() => this.#keep(image));
    // What goes wrong is thrown by `all`.
    this.#last.catch(() => {});
  }

  /**
   * All images of an answer, of which the first may have been taken before. Rejects when none of them
   * can be fetched, or is an image: only a stored image is charged.
   */
  async all({ images }: Delivered): Promise<KeptImages> {
    for (const image of images.slice(this.#taken)) this.take(image);
    await this.#last;
    const [first, ...others] = this.#files;
    if (first === undefined) throw this.#failure;
    return { files: [first, ...others], items: this.#items };
  }

  async #keep(image: Delivered["images"][number]): Promise<void> {
    const kept = "failure" in image ? { error: image.failure.code } : await this.#copy(image);
    if ("error" in kept) this.#items.push(kept);
    else {
      this.#files.push(kept);
      this.#items.push({ media: kept.mediaId, ...(kept.layer && { layer: kept.layer }) });
    }
    await this.onKept(kept);
  }

  async #copy(image: MadeImage): Promise<KeptFile | { readonly error: string }> {
    const { media, channel, accountId } = this;
    try {
      const kept = await ("bytes" in image
        ? media.keep("image", image.bytes, accountId)
        : media.copy("image", channel, image.url, accountId));
      const size = kept.size ?? { width: 0, height: 0 };
      return { ...kept, ...size, ...(image.layer && { layer: image.layer }) };
    } catch (error) {
      this.#failure = error;
      return { error: lostBy(error) };
    }
  }
}

const tokensOf = (files: KeptImages["files"]) =>
  files.reduce((sum, { width, height }) => sum + imageTokens(width, height), 0);

/** A file of another format than GIF has one, whatever was ordered. */
const framesIn = ({ settings }: ImageSpec, files: KeptImages["files"]) =>
  files.every(({ file }) => isMoving(file)) ? (settings?.frames ?? 1) : 1;

/**
 * What delivered images are charged by: their pixels and their number, in the size class and quality
 * that were ordered.
 */
export function billOf(
  spec: ImageSpec,
  delivered: Delivered,
  { files }: KeptImages,
): { readonly usage: TokenUsage; readonly reported: object } {
  const reported = delivered.outputTokens === null ? {} : { output_tokens: delivered.outputTokens };
  const [first] = files;
  const counts = {
    images: files.length,
    frames: framesIn(spec, files),
    outputTokens: tokensOf(files),
    inputImages: spec.pictures.length,
    partialImages: delivered.partialImages ?? 0,
    toolCalls: spec.settings?.tools ? (delivered.toolCalls ?? 0) : 0,
  };
  return {
    usage: usageOf(spec, counts),
    reported: { ...reported, width: first.width, height: first.height },
  };
}

/** Logs what came where it is not what was ordered, or not what the upstream counted. */
export function noteSizes(
  log: Log,
  named: object,
  spec: ImageSpec,
  delivered: Delivered,
  { files, items }: KeptImages,
): void {
  const fields = {
    ...named,
    asked: spec.sizeName ?? `${spec.width}x${spec.height}`,
    came: files.map(({ width, height }) => `${width}x${height}`).join(),
  };
  const ordered = imageTokens(spec.width, spec.height);
  const each = files.map(({ width, height }) => imageTokens(width, height));
  if (each.some((tokens) => tokens > ordered))
    log.error({ alarm: "usage_over_hold", ...fields }, "an image is larger than it was ordered");
  else if (spec.sizeName === undefined && each.some((tokens) => tokens !== ordered))
    log.warn(fields, "an image is smaller than it was ordered");
  const missing = items.length - files.length;
  if (missing > 0) log.warn({ ...fields, missing }, "some of several images are missing");
  const tokens = tokensOf(files) * framesIn(spec, files);
  if (delivered.outputTokens !== null && delivered.outputTokens !== tokens) {
    log.warn(
      { ...fields, reported: delivered.outputTokens, counted: tokens },
      "the upstream's token count of an image differs from ours",
    );
  }
}
