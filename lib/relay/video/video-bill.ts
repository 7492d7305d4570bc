/** Decides the tokens by which a finished video is charged. */
import { findModel } from "../../catalog/models";
import { type Ratio, type Resolution, videoSize, videoTokens } from "../../catalog/video-sizes";
import type { Price, TokenUsage } from "../../pricing/price";
import type { VideoSpec, VideoState } from "../../upstream/media-provider";
import { usageCounts } from "../order/usage-counts";

type Success = Extract<VideoState, { status: "succeeded" }>;

export interface VideoBill {
  readonly usage: TokenUsage;
  readonly reported: Record<string, unknown>;
  /**
   * True when there was nothing to charge by: the account pays nothing, and the operator has a
   * loss.
   */
  readonly isLoss: boolean;
}

/** The tokens of the delivered size, named or from the size table; null when it is unknown. */
function tableTokens(model: string, spec: VideoSpec, { facts, pixels }: Success): number | null {
  const found = findModel(model);
  if (found?.family !== "video") return null;
  const seconds = facts.durationSeconds ?? spec.durationSeconds;
  if (seconds <= 0 || seconds > found.durationSecondsMax) return null;
  if (pixels) return videoTokens(pixels, seconds);
  const ratio = found.ratios.find(
    (candidate): candidate is Ratio => candidate === (facts.ratio ?? spec.ratio),
  );
  const resolution = found.resolutions.find(
    (candidate): candidate is Resolution => candidate === (facts.resolution ?? spec.resolution),
  );
  if (!ratio || !resolution) return null;
  return videoTokens(videoSize(found.sizeGeneration, resolution, ratio), seconds);
}

const COUNTS_MAX = 20;

function countsOf(reported: unknown): Record<string, unknown> {
  return typeof reported === "object" && reported !== null
    ? usageCounts(reported, 1, COUNTS_MAX)
    : {};
}

type Tokens = Pick<VideoBill, "reported" | "isLoss"> & { readonly outputTokens: number };

/**
 * The upstream's count decides. Without one, the size table is used, since the size of the video is
 * known. An impossible count is not charged at all.
 */
function tokensOf(model: string, spec: VideoSpec, state: Success): Tokens {
  if (state.outputTokens !== null)
    return { outputTokens: state.outputTokens, reported: countsOf(state.reported), isLoss: false };
  const tokens = state.usageFault === "absurd" ? null : tableTokens(model, spec, state);
  if (tokens === null)
    return { outputTokens: 0, reported: { fault: state.usageFault ?? "missing" }, isLoss: true };
  return {
    outputTokens: tokens,
    reported: { completion_tokens: tokens, source: "size_table" },
    isLoss: false,
  };
}

/**
 * Tokens by `tokensOf`, and the whole seconds delivered: as the upstream says, or else as ordered.
 * Tokens that are not known are no loss where the price does not count them.
 */
export function billOf(
  { model, spec }: { readonly model: string; readonly spec: VideoSpec },
  state: Success,
  price: Price,
): VideoBill {
  const { outputTokens, reported, isLoss } = tokensOf(model, spec, state);
  if (isLoss && price.output > 0n)
    return { usage: { inputTokens: 0, outputTokens: 0, requests: 0 }, reported, isLoss };
  const seconds = Math.round(state.facts.durationSeconds ?? spec.durationSeconds);
  const ordered = { resolution: spec.resolution, audio: spec.generateAudio };
  return { usage: { inputTokens: 0, outputTokens, seconds, ordered }, reported, isLoss: false };
}
