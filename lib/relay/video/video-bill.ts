/** What a finished video is billed by. */
import { findModel } from "../../catalog/models";
import { type Ratio, type Resolution, videoSize, videoTokens } from "../../catalog/video-sizes";
import type { VideoState } from "../../upstream/media-provider";
import type { VideoSpec } from "./video-order";

type Success = Extract<VideoState, { status: "succeeded" }>;

export interface VideoBill {
  readonly outputTokens: number;
  readonly reported: Record<string, number | string>;
  /** True when there was nothing to bill by: the customer pays nothing, the operator has a loss. */
  readonly isLoss: boolean;
}

/** The tokens that the size table gives for what was delivered; null where the size is not known. */
function tableTokens(model: string, spec: VideoSpec, { facts }: Success): number | null {
  const found = findModel(model);
  if (found?.family !== "video") return null;
  const ratio = found.ratios.find((candidate): candidate is Ratio => candidate === (facts.ratio ?? spec.ratio));
  const resolution = found.resolutions.find((candidate): candidate is Resolution => candidate === (facts.resolution ?? spec.resolution));
  const seconds = facts.durationSeconds ?? spec.durationSeconds;
  if (!ratio || !resolution || seconds <= 0 || seconds > found.durationSecondsMax) return null;
  return videoTokens(videoSize(found.sizeGeneration, resolution, ratio), seconds);
}

/** The numbers of what the upstream reported: nothing else of it is kept. */
function countsOf(reported: unknown): Record<string, number> {
  const counts = typeof reported === "object" && reported !== null ? Object.entries(reported) : [];
  return Object.fromEntries(counts.filter(([name, value]) => /^\w{1,64}$/.test(name) && Number.isFinite(value)).slice(0, 20));
}

/**
 * The upstream's count decides. Where it gave none, the table stands in, since the pixels of a video are a fact;
 * a count that cannot be is nobody's fact: it is not billed.
 */
export function billOf(model: string, spec: VideoSpec, state: Success): VideoBill {
  if (state.outputTokens !== null) return { outputTokens: state.outputTokens, reported: countsOf(state.reported), isLoss: false };
  const tokens = state.usageFault === "absurd" ? null : tableTokens(model, spec, state);
  if (tokens === null) return { outputTokens: 0, reported: { fault: state.usageFault ?? "missing" }, isLoss: true };
  return { outputTokens: tokens, reported: { completion_tokens: tokens, source: "size_table" }, isLoss: false };
}
