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
export interface RequestedVideo {
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
  requested: RequestedVideo,
  name: "resolution" | "ratio" | "duration",
  model: VideoModel,
  allowed: string,
): RelayError {
  const shown = JSON.stringify(requested[name]).slice(0, 60);
  const message = `${requested.labels[name]} is ${shown}: ${model.id} allows ${allowed}.`;
  return new RelayError("unsupported_value", { message, param: requested.params[name] });
}

function chosenDuration(requested: RequestedVideo, model: VideoModel): number {
  const { duration } = requested;
  if (duration === null) return model.durationSecondsDefault;
  if (duration < 0 || duration > model.durationSecondsMax) {
    throw unsupported(
      requested,
      "duration",
      model,
      `${model.durationSecondsMin} to ${model.durationSecondsMax} whole seconds`,
    );
  }
  return Math.max(duration, model.durationSecondsMin);
}

function chosenResolution(requested: RequestedVideo, model: VideoModel): Resolution {
  const found = model.resolutions.find(
    (candidate) => candidate === (requested.resolution ?? model.resolutionDefault),
  );
  if (!found) throw unsupported(requested, "resolution", model, list(model.resolutions));
  return found;
}

function chosenRatio(requested: RequestedVideo, model: VideoModel): Ratio | "adaptive" {
  const { ratio, firstFrameUrl } = requested;
  if (firstFrameUrl !== null && (ratio === null || ratio === "adaptive")) return "adaptive";
  const found = model.ratios.find((candidate) => candidate === (ratio ?? model.ratioDefault));
  if (found) return found;
  throw unsupported(
    requested,
    "ratio",
    model,
    `${list(model.ratios)}, and adaptive with a first frame`,
  );
}

function assertInputs(requested: RequestedVideo, model: VideoModel): void {
  const { referenceImageUrls: references, firstFrameUrl, params } = requested;
  if (references.length > 0 && model.referenceImagesMax === 0) {
    throw new RelayError("unsupported_value", {
      message: `${model.id} does not support reference images.`,
      param: params.references,
    });
  }
  if (references.length > model.referenceImagesMax) {
    const message = `\`${params.references}\` has ${references.length} reference images: ${model.id} allows at most ${model.referenceImagesMax}.`;
    throw new RelayError("unsupported_value", { message, param: params.references });
  }
  if (references.length > 0 && firstFrameUrl !== null) {
    const message = "A first frame and reference images cannot be combined: send one or the other.";
    throw new RelayError("unsupported_value", { message, param: params.firstFrame });
  }
  if (requested.generateAudio && !model.hasAudio) {
    const message = `\`generate_audio\` is true: ${model.id} does not support audio. Omit it or send false.`;
    throw new RelayError("unsupported_value", { message, param: "generate_audio" });
  }
}

function refuseModel(name: string, generates: string): RelayError {
  const message = `\`model\` is ${JSON.stringify(name)}, which generates ${generates}: send a video model.`;
  return new RelayError("unsupported_value", { message, param: "model" });
}

/**
 * Applies the model's rules and prices the upper bound. Throws what the client must change, or
 * `price_missing`.
 */
export function orderVideo(
  requested: RequestedVideo,
  principal: Principal,
  priceBook: PriceBook,
  inlineImages?: InlineImages,
): VideoPurchase {
  const model = findModelOf("video", requested.model, principal, refuseModel);
  const durationSeconds = chosenDuration(requested, model);
  const resolution = chosenResolution(requested, model);
  const ratio = chosenRatio(requested, model);
  assertInputs(requested, model);
  const sold = priced(model, principal, priceBook);
  const holdTokens = videoTokensMax(resolution, durationSeconds);
  const quoteTokens =
    ratio === "adaptive"
      ? holdTokens
      : videoTokens(videoSize(model.sizeGeneration, resolution, ratio), durationSeconds);
  const { prompt, generateAudio, watermark, cameraFixed, firstFrameUrl, referenceImageUrls } =
    requested;
  return {
    ...sold,
    modelNamed: requested.model,
    // -1 means a random seed, like no seed.
    spec: {
      prompt,
      resolution,
      ratio,
      durationSeconds,
      seed: requested.seed === -1 ? null : requested.seed,
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
