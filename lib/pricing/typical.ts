/** One typical request of each model, with which the price list and the balance are explained. */
import { imageTokens, parseImageSize } from "../catalog/image-sizes";
import type { ImageModel, Model, VideoModel } from "../catalog/models";
import { type Ratio, type Resolution, videoSize, videoTokens } from "../catalog/video-sizes";
import type { TokenUsage } from "./price";

export const TYPICAL_TEXT_TOKENS = 1000;

export type TypicalRequest =
  | { family: "text"; inputTokens: number; outputTokens: number }
  | { family: "video"; seconds: number; resolution: Resolution; ratio: Ratio }
  | { family: "image"; size: string; quality?: string };

const typicalTokens: TokenUsage = {
  inputTokens: TYPICAL_TEXT_TOKENS,
  outputTokens: TYPICAL_TEXT_TOKENS,
};

export function typicalRequest(model: Model): TypicalRequest {
  if (model.family === "text") return { family: "text", ...typicalTokens };
  if (model.family === "image") {
    const { sizeDefault: size, qualityDefault: quality } = model;
    return { family: "image", size, ...(quality !== null && { quality }) };
  }
  return {
    family: "video",
    seconds: model.durationSecondsDefault,
    resolution: model.resolutionDefault,
    ratio: model.ratioDefault,
  };
}

export function videoUsage(
  model: VideoModel,
  resolution: Resolution,
  ratio: Ratio,
  seconds: number,
): TokenUsage {
  return {
    inputTokens: 0,
    outputTokens: videoTokens(videoSize(model.sizeGeneration, resolution, ratio), seconds),
    seconds,
    ordered: { resolution, audio: false, input_video: false, tier: "default" },
  };
}

/** The quality of an order that names none, in rates of a model that declares no qualities. */
export const USUAL_QUALITY = "standard";

/** `quality`: one of the model's; its default when absent. */
export const imageUsage = (
  { qualityDefault }: ImageModel,
  [width, height]: readonly [width: number, height: number],
  quality: string | null = qualityDefault,
): TokenUsage => ({
  inputTokens: 0,
  outputTokens: imageTokens(width, height),
  images: 1,
  ordered: { size: `${width}x${height}`, quality: quality ?? USUAL_QUALITY },
});

/** The usage of `typicalRequest(model)`. */
export function typicalUsage(model: Model): TokenUsage {
  if (model.family === "text") return typicalTokens;
  if (model.family === "image") {
    return imageUsage(model, parseImageSize(model.sizeDefault) ?? [0, 0]);
  }
  return videoUsage(
    model,
    model.resolutionDefault,
    model.ratioDefault,
    model.durationSecondsDefault,
  );
}

/**
 * The tokens of the smallest video or the default image: what an operator's test of a channel
 * orders.
 */
export function trialTokens(model: Model): number {
  if (model.family !== "video") return typicalUsage(model).outputTokens;
  return videoUsage(
    model,
    model.resolutions[0] ?? model.resolutionDefault,
    model.ratioDefault,
    model.durationSecondsMin,
  ).outputTokens;
}
