/** Decides what is counted of a finished video, and the tokens by which a finished video is charged. */
import type { Model } from "../../catalog/models";
import { type Ratio, type Resolution, videoSize, videoTokens } from "../../catalog/video-sizes";
import type { Price, TokenUsage } from "../../pricing/price";
import { priceAt } from "../../pricing/price-at";
import { rateFor } from "../../pricing/price-lines";
import type { VideoSpec, VideoState } from "../../upstream/media-provider";
import { usageCounts } from "../order/usage-counts";
import { servedOf } from "./video-bound";

type Success = Extract<VideoState, { status: "succeeded" }>;

export interface VideoBill {
  readonly usage: TokenUsage;
  readonly reported: Record<string, unknown>;
  /**
   * True when there was nothing to charge by: the account pays nothing, and the operator has a
   * loss.
   */
  readonly isLoss: boolean;
  /** True where the price does not count tokens of what was ordered. */
  readonly isUncounted: boolean;
}

/** The tokens of the delivered size, named or from the size table; null when it is unknown. */
function tableTokens(
  found: Model | undefined,
  spec: VideoSpec,
  { facts, pixels }: Success,
): number | null {
  const { source, inputSeconds } = spec;
  // Of a video that it is made from, nobody knows the length unless it was measured.
  if (found?.family !== "video" || (source === "video" && inputSeconds === undefined)) return null;
  const made = facts.durationSeconds ?? spec.durationSeconds;
  if (made <= 0 || made > found.durationSecondsMax) return null;
  const seconds = made + (inputSeconds ?? 0);
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
function tokensOf(model: Model | undefined, spec: VideoSpec, state: Success): Tokens {
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

const callsOf = ({ facts: { toolCalls = {} } }: Success): number =>
  Object.values(toolCalls).reduce((sum, calls) => sum + calls, 0);

/**
 * Tokens by `tokensOf`, and the whole seconds delivered: as the upstream says, or else as ordered.
 * Tokens that are not known are no loss where the price does not count them. `model`: as it was when
 * the video was ordered.
 */
export function billOf(
  model: Model | undefined,
  spec: VideoSpec,
  state: Success,
  price: Price,
): VideoBill {
  const { outputTokens, reported, isLoss } = tokensOf(model, spec, state);
  const ordered = servedOf(spec, state.facts);
  const isUncounted =
    rateFor("video_token", priceAt(price, { inputTokens: 0, ordered }), ordered) === 0n;
  if (isLoss && !isUncounted)
    return {
      usage: { inputTokens: 0, outputTokens: 0, requests: 0 },
      reported,
      isLoss,
      isUncounted,
    };
  const seconds = Math.round(state.facts.durationSeconds ?? spec.durationSeconds);
  const toolCalls = spec.settings?.tools?.length ? callsOf(state) : 0;
  const usage = {
    inputTokens: 0,
    outputTokens,
    seconds,
    ...(toolCalls > 0 && { toolCalls }),
    ordered,
  };
  return { usage, reported, isLoss: false, isUncounted };
}
