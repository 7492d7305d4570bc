/**
 * Checks a video order against the catalogue, normalizes and prices it. Both styles of request use
 * it.
 */
import type { Principal } from "../../accounts/principal";
import type { VideoModel } from "../../catalog/models";
import { type Ratio, type Resolution, secondsOfFrames } from "../../catalog/video-sizes";
import { RelayError } from "../../failures/relay-error";
import type { Fault } from "../../failures/value-faults";
import type { InlineImages } from "../../json/inline-images";
import type { Micropoints } from "../../money/points";
import type { PriceBook } from "../../price-book/price-version";
import { priceOf, type TokenUsage } from "../../pricing/price";
import type { VideoImages, VideoSpec } from "../../upstream/media-provider";
import { findModelOf, type PricedModel, priced } from "../order/find-model";
import { assertOffered } from "./offered-settings";
import type { Named, RequestedVideo } from "./requested-order";
import { boundOf } from "./video-bound";

/** A video order as it will be placed: its stored parameters, its images, and its cost. */
export interface VideoPurchase extends PricedModel<VideoModel> {
  readonly modelNamed: string;
  readonly spec: VideoSpec;
  readonly images: VideoImages;
  readonly quoteUsage: TokenUsage;
  readonly quoteAmount: Micropoints;
  readonly holdAmount: Micropoints;
}

const list = (values: readonly string[]) => values.join(", ");

function unsupported(
  requested: RequestedVideo,
  name: Named,
  model: VideoModel,
  allowed: string,
  fault: Fault,
): RelayError {
  const shown = JSON.stringify(requested[name]).slice(0, 60);
  const message = `${requested.labels[name]} is ${shown}: ${model.id} allows ${allowed}.`;
  return new RelayError("unsupported_value", { message, param: requested.params[name], fault });
}

type Length = Pick<VideoSpec, "durationSeconds" | "isAutoLength">;

/** The length, or the greatest one where the upstream decides it. */
function chosenLength(requested: RequestedVideo, model: VideoModel, inputSeconds?: number): Length {
  const { duration, draftTask, settings, referenceVideoUrls } = requested;
  const { offers, durationSecondsMax } = model;
  if (draftTask !== null) return { durationSeconds: durationSecondsMax };
  if (settings.frames !== undefined) return { durationSeconds: secondsOfFrames(settings.frames) };
  const isAuto = duration === -1 && offers.auto_duration === true;
  if (!isAuto) return { durationSeconds: chosenDuration(requested, model) };
  // What changes a video is as long as that.
  const most = inputSeconds ?? offers.input_videos?.seconds_max ?? 0;
  const given = referenceVideoUrls.length > 0 ? most : 0;
  return { durationSeconds: Math.max(durationSecondsMax, given), isAutoLength: true };
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
  const { ratio, firstFrameUrl, draftTask } = requested;
  if (draftTask !== null) return "adaptive";
  if (firstFrameUrl !== null && (ratio === null || ratio === "adaptive")) return "adaptive";
  if (ratio === "adaptive" && model.offers.adaptive_ratio) return "adaptive";
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
  if (requested.generateAudio && !model.audio) {
    const message = `\`generate_audio\` is true: ${model.id} does not support audio. Omit it or send false.`;
    const fault = { name: "no_sound" } as const;
    throw new RelayError("unsupported_value", { message, param: "generate_audio", fault });
  }
}

export function refuseModel(name: string, generates: string): RelayError {
  const message = `\`model\` is ${JSON.stringify(name)}, which generates ${generates}: send a video model.`;
  const fault = { name: "wrong_family", model: name.slice(0, 60) } as const;
  return new RelayError("unsupported_value", { message, param: "model", fault });
}

function specOf(requested: RequestedVideo, model: VideoModel): VideoSpec {
  const { prompt, generateAudio, watermark, cameraFixed, settings } = requested;
  const { referenceVideoUrls, draftTask, callbackStates } = requested;
  const source = draftTask !== null ? "draft" : referenceVideoUrls.length > 0 ? "video" : null;
  return {
    prompt,
    resolution: chosenResolution(requested, model),
    ratio: chosenRatio(requested, model),
    ...chosenLength(requested, model),
    // -1 means a random seed, like no seed.
    seed: requested.seed === -1 ? null : requested.seed,
    generateAudio,
    watermark,
    cameraFixed,
    ...(Object.keys(settings).length > 0 && { settings }),
    ...(source !== null && { source }),
    ...(draftTask !== null && { draftTask }),
    ...(callbackStates && { callbackStates }),
  };
}

function imagesOf(requested: RequestedVideo, inlineImages?: InlineImages): VideoImages {
  const { firstFrameUrl, lastFrameUrl, referenceImageUrls } = requested;
  const { referenceVideoUrls, referenceAudioUrls } = requested;
  return {
    firstFrameUrl,
    ...(lastFrameUrl !== null && { lastFrameUrl }),
    referenceImageUrls,
    ...(referenceVideoUrls.length > 0 && { referenceVideoUrls }),
    ...(referenceAudioUrls.length > 0 && { referenceAudioUrls }),
    inlineImages,
  };
}

type Cost = Pick<VideoPurchase, "quoteUsage" | "quoteAmount" | "holdAmount">;

function costOf(sold: PricedModel<VideoModel>, spec: VideoSpec): Cost {
  const { quoteUsage, holdAmount } = boundOf(sold, spec);
  const quoteAmount = priceOf(quoteUsage, sold.price.price, sold.multiplierPpm);
  return { quoteUsage, quoteAmount, holdAmount };
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
  const asked = specOf(requested, model);
  assertInputs(requested, model);
  const sold = priced(model, principal, priceBook);
  const spec = { ...asked, ...(sold.time && { time: sold.time }) };
  assertOffered(requested, model, sold.price.price);
  const images = imagesOf(requested, inlineImages);
  return { ...sold, modelNamed: requested.model, spec, images, ...costOf(sold, spec) };
}

/** The same order with the measured seconds of the videos that it is made from. */
export function withInputSeconds(
  order: VideoPurchase,
  requested: RequestedVideo,
  inputSeconds: number,
): VideoPurchase {
  const length = chosenLength(requested, order.model, inputSeconds);
  const spec = { ...order.spec, ...length, inputSeconds };
  return { ...order, spec, ...costOf(order, spec) };
}
