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
import type { Fault } from "../../faults";
import type { InlineImages } from "../../json/inline-images";
import type { Micropoints } from "../../points";
import type { PriceBook } from "../../price-book/price-version";
import { priceOf, type TokenUsage } from "../../pricing/price";
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
  readonly lastFrameUrl: string | null;
  readonly referenceImageUrls: readonly string[];
  readonly params: Readonly<
    Record<"resolution" | "ratio" | "duration" | "firstFrame" | "lastFrame" | "references", string>
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
  readonly quoteUsage: TokenUsage;
  readonly quoteAmount: Micropoints;
  readonly holdAmount: Micropoints;
}

const list = (values: readonly string[]) => values.join(", ");

function unsupported(
  requested: RequestedVideo,
  name: "resolution" | "ratio" | "duration",
  model: VideoModel,
  allowed: string,
  fault: Fault,
): RelayError {
  const shown = JSON.stringify(requested[name]).slice(0, 60);
  const message = `${requested.labels[name]} is ${shown}: ${model.id} allows ${allowed}.`;
  return new RelayError("unsupported_value", { message, param: requested.params[name], fault });
}

function chosenDuration(requested: RequestedVideo, model: VideoModel): number {
  const { duration } = requested;
  const { durations, durationSecondsMin: min, durationSecondsMax: max } = model;
  if (duration === null) return model.durationSecondsDefault;
  const chosen = duration < 0 ? duration : Math.max(duration, min);
  if (durations === null) {
    if (chosen >= 0 && chosen <= max) return chosen;
    const fault = { name: "out_of_range", min, max } as const;
    throw unsupported(requested, "duration", model, `${min} to ${max} whole seconds`, fault);
  }
  if (durations.includes(chosen)) return chosen;
  const options = list(durations.toSorted((a, b) => a - b).map(String));
  const fault = { name: "not_an_option", options } as const;
  throw unsupported(requested, "duration", model, `${options} seconds`, fault);
}

function chosenResolution(requested: RequestedVideo, model: VideoModel): Resolution {
  const found = model.resolutions.find(
    (candidate) => candidate === (requested.resolution ?? model.resolutionDefault),
  );
  if (found) return found;
  const options = list(model.resolutions);
  throw unsupported(requested, "resolution", model, options, { name: "not_an_option", options });
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
    { name: "not_an_option", options: list(model.ratios) },
  );
}

function assertLastFrame(requested: RequestedVideo, model: VideoModel): void {
  const { lastFrameUrl, firstFrameUrl, params } = requested;
  if (lastFrameUrl === null) return;
  const refused = (message: string, fault: Fault) =>
    new RelayError("unsupported_value", { message, param: params.lastFrame, fault });
  if (!model.hasLastFrame)
    throw refused(
      `\`${params.lastFrame}\` is a last frame: ${model.id} does not support one. Omit it.`,
      { name: "no_last_frame" },
    );
  if (firstFrameUrl === null)
    throw refused(
      `\`${params.lastFrame}\` is a last frame without a first one: send both, or no last frame.`,
      { name: "last_frame_alone" },
    );
}

function assertInputs(requested: RequestedVideo, model: VideoModel): void {
  const { referenceImageUrls: references, firstFrameUrl, params } = requested;
  if (references.length > 0 && model.referenceImagesMax === 0) {
    throw new RelayError("unsupported_value", {
      message: `${model.id} does not support reference images.`,
      param: params.references,
      fault: { name: "no_references" },
    });
  }
  if (references.length > model.referenceImagesMax) {
    const message = `\`${params.references}\` has ${references.length} reference images: ${model.id} allows at most ${model.referenceImagesMax}.`;
    const bound = model.referenceImagesMax;
    const fault = { name: "too_many", sent: references.length, bound } as const;
    throw new RelayError("unsupported_value", { message, param: params.references, fault });
  }
  if (references.length > 0 && firstFrameUrl !== null) {
    const message = "A first frame and reference images cannot be combined: send one or the other.";
    const fault = { name: "frame_and_references" } as const;
    throw new RelayError("unsupported_value", { message, param: params.firstFrame, fault });
  }
  assertLastFrame(requested, model);
  if (requested.generateAudio && !model.hasAudio) {
    const message = `\`generate_audio\` is true: ${model.id} does not support audio. Omit it or send false.`;
    const fault = { name: "no_sound" } as const;
    throw new RelayError("unsupported_value", { message, param: "generate_audio", fault });
  }
}

function refuseModel(name: string, generates: string): RelayError {
  const message = `\`model\` is ${JSON.stringify(name)}, which generates ${generates}: send a video model.`;
  const fault = { name: "wrong_family", model: name.slice(0, 60) } as const;
  return new RelayError("unsupported_value", { message, param: "model", fault });
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
  const counted = {
    inputTokens: 0,
    seconds: durationSeconds,
    ordered: { resolution, audio: requested.generateAudio },
  };
  const quoteUsage = { ...counted, outputTokens: quoteTokens };
  const { prompt, generateAudio, watermark, cameraFixed } = requested;
  const { firstFrameUrl, lastFrameUrl, referenceImageUrls } = requested;
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
    images: {
      firstFrameUrl,
      ...(lastFrameUrl !== null && { lastFrameUrl }),
      referenceImageUrls,
      inlineImages,
    },
    quoteTokens,
    quoteUsage,
    quoteAmount: priceOf(quoteUsage, sold.price.price, sold.multiplierPpm),
    holdAmount: holdAmountOf({ ...counted, outputTokens: holdTokens }, sold),
  };
}
