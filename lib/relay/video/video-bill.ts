/** Decides the tokens by which a finished video is charged. */
import type { Model } from "../../catalog/models";
import { type Ratio, type Resolution, videoSize, videoTokens } from "../../catalog/video-sizes";
import type { VideoSpec, VideoState } from "../../upstream/media-provider";
import { usageCounts } from "../order/usage-counts";

type Success = Extract<VideoState, { status: "succeeded" }>;

export interface VideoBill {
  readonly outputTokens: number;
  readonly reported: Record<string, unknown>;
  /**
   * True when there was nothing to charge by: the account pays nothing, and the operator has a
   * loss.
   */
  readonly isLoss: boolean;
}

/** The tokens of the delivered size, named or from the size table; null when it is unknown. */
function tableTokens(
  found: Model | undefined,
  spec: VideoSpec,
  { facts, pixels }: Success,
): number | null {
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

/**
 * The upstream's count decides. Without one, the size table is used, since the size of the video is
 * known. An impossible count is not charged at all. `model`: as it was when the video was ordered.
 */
export function billOf(model: Model | undefined, spec: VideoSpec, state: Success): VideoBill {
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
