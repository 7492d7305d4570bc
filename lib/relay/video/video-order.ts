/**
 * Checks a video order against the catalogue, normalizes and prices it. Both styles of request use
 * it.
 */
import type { Principal } from "../../accounts/principal";
import type { VideoModel } from "../../catalog/models";
import {
  type Ratio,
  type Resolution,
  videoSize,
  videoTokens,
  videoTokensMax,
} from "../../catalog/video-sizes";
import { RelayError } from "../../errors";
import type { InlineImages } from "../../json/inline-images";
import type { Micropoints } from "../../points";
import type { PriceBook } from "../../price-book/price-version";
import { priceOf } from "../../pricing/price";
import type { VideoImages, VideoSpec } from "../../upstream/media-provider";
import { holdAmountOf } from "../order/charge";
import { findModelOf, type PricedModel, priced } from "../order/find-model";

/**
 * A request's fields, before the model's rules are applied. `params` names the source of each
 * field, for messages.
 */
export interface VideoWish {
  readonly model: string;
  readonly prompt: string;
  readonly resolution: string | null;
  readonly ratio: string | null;
  readonly duration: number | null;
  readonly seed: number | null;
  readonly generateAudio: boolean;
  readonly watermark: boolean;
  readonly cameraFixed: boolean | null;
  readonly firstFrameUrl: string | null;
  readonly referenceImageUrls: readonly string[];
  readonly params: Readonly<
    Record<"resolution" | "ratio" | "duration" | "firstFrame" | "references", string>
  >;
  /** Their names in messages: as the field, or as the flag. */
  readonly labels: Readonly<Record<"resolution" | "ratio" | "duration", string>>;
}

/** A video order as it will be placed: its stored parameters, its images, and its cost. */
export interface VideoPurchase extends PricedModel<VideoModel> {
  readonly modelNamed: string;
  readonly spec: VideoSpec;
  readonly images: VideoImages;
  /**
   * Tokens of the exact size, or of the tier's largest size when the exact one is not known before.
   */
  readonly quoteTokens: number;
  readonly quoteAmount: Micropoints;
  readonly holdAmount: Micropoints;
}

const list = (values: readonly string[]) => values.join(", ");

function unsupported(
  wish: VideoWish,
  name: "resolution" | "ratio" | "duration",
  model: VideoModel,
  allowed: string,
): RelayError {
  const shown = JSON.stringify(wish[name]).slice(0, 60);
  const message = `${wish.labels[name]} is ${shown}: ${model.id} takes ${allowed}.`;
  return new RelayError("unsupported_value", { message, param: wish.params[name] });
}

function chosenDuration(wish: VideoWish, model: VideoModel): number {
  const { duration } = wish;
  if (duration === null) return model.durationSecondsDefault;
  if (duration < 0 || duration > model.durationSecondsMax) {
    throw unsupported(
      wish,
      "duration",
      model,
      `${model.durationSecondsMin} to ${model.durationSecondsMax} whole seconds`,
    );
  }
  return Math.max(duration, model.durationSecondsMin);
}

function chosenResolution(wish: VideoWish, model: VideoModel): Resolution {
  const found = model.resolutions.find(
    (candidate) => candidate === (wish.resolution ?? model.resolutionDefault),
  );
  if (!found) throw unsupported(wish, "resolution", model, list(model.resolutions));
  return found;
}

function chosenRatio(wish: VideoWish, model: VideoModel): Ratio | "adaptive" {
  const { ratio, firstFrameUrl } = wish;
  if (firstFrameUrl !== null && (ratio === null || ratio === "adaptive")) return "adaptive";
  const found = model.ratios.find((candidate) => candidate === (ratio ?? model.ratioDefault));
  if (found) return found;
  throw unsupported(wish, "ratio", model, `${list(model.ratios)}, and adaptive with a first frame`);
}

function assertInputs(wish: VideoWish, model: VideoModel): void {
  const { referenceImageUrls: references, firstFrameUrl, params } = wish;
  if (references.length > 0 && model.referenceImagesMax === 0) {
    throw new RelayError("unsupported_value", {
      message: `${model.id} takes no reference images.`,
      param: params.references,
    });
  }
  if (references.length > model.referenceImagesMax) {
    const message = `\`${params.references}\` has ${references.length} reference images: ${model.id} takes up to ${model.referenceImagesMax}.`;
    throw new RelayError("unsupported_value", { message, param: params.references });
  }
  if (references.length > 0 && firstFrameUrl !== null) {
    const message = "A first frame and reference images exclude each other: send one or the other.";
    throw new RelayError("unsupported_value", { message, param: params.firstFrame });
  }
  if (wish.generateAudio && !model.hasAudio) {
    const message = `\`generate_audio\` is true: ${model.id} makes no audio. Leave it out or send false.`;
    throw new RelayError("unsupported_value", { message, param: "generate_audio" });
  }
}

function refuseModel(name: string, generates: string): RelayError {
  const message = `\`model\` is ${JSON.stringify(name)}, which makes ${generates}: it is not a video model.`;
  return new RelayError("unsupported_value", { message, param: "model" });
}

/**
 * Applies the model's rules and prices the upper bound. Throws what the client must change, or
 * `price_missing`.
 */
export function orderVideo(
  wish: VideoWish,
  principal: Principal,
  priceBook: PriceBook,
  inlineImages?: InlineImages,
): VideoPurchase {
  const model = findModelOf("video", wish.model, principal, refuseModel);
  const durationSeconds = chosenDuration(wish, model);
  const resolution = chosenResolution(wish, model);
  const ratio = chosenRatio(wish, model);
  assertInputs(wish, model);
  const sold = priced(model, principal, priceBook);
  const holdTokens = videoTokensMax(resolution, durationSeconds);
  const quoteTokens =
    ratio === "adaptive"
      ? holdTokens
      : videoTokens(videoSize(model.sizeGeneration, resolution, ratio), durationSeconds);
  const { prompt, generateAudio, watermark, cameraFixed, firstFrameUrl, referenceImageUrls } = wish;
  return {
    ...sold,
    modelNamed: wish.model,
    // -1 means a random seed, like no seed.
    spec: {
      prompt,
      resolution,
      ratio,
      durationSeconds,
      seed: wish.seed === -1 ? null : wish.seed,
      generateAudio,
      watermark,
      cameraFixed,
    },
    images: { firstFrameUrl, referenceImageUrls, inlineImages },
    quoteTokens,
    quoteAmount: priceOf(
      { inputTokens: 0, outputTokens: quoteTokens },
      sold.price.price,
      sold.multiplierPpm,
    ),
    holdAmount: holdAmountOf({ inputTokens: 0, outputTokens: holdTokens }, sold),
  };
}
