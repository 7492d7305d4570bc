/** What a video order costs, and at most: the dearest case that the order leaves open. */
import type { VideoModel } from "../../catalog/models";
import { videoSize, videoTokens, videoTokensMax } from "../../catalog/video-sizes";
import type { Micropoints } from "../../money/points";
import type { TokenUsage } from "../../pricing/price";
import type { Ordered } from "../../pricing/rate";
import type { VideoFacts, VideoSpec } from "../../upstream/media-provider";
import { holdAmountOf } from "../order/charge";
import type { PricedModel } from "../order/find-model";

/** What the rates of a video are selected by. */
const orderedOf = ({ resolution, generateAudio, settings, source, time }: VideoSpec) => ({
  ...(time && { time }),
  resolution,
  audio: generateAudio,
  input_video: source === "video",
  tier: settings?.service_tier ?? "default",
});

/** Every case that the upstream may bill: a flexible order may be served at once. */
function casesOf(model: VideoModel, spec: VideoSpec): Ordered[] {
  const ordered = orderedOf(spec);
  const tiers = [...new Set([ordered.tier, "default"])];
  // The draft says whether its video has sound.
  const audios = spec.source === "draft" && model.audio ? [false, true] : [ordered.audio];
  return tiers.flatMap((tier) => audios.map((audio) => ({ ...ordered, tier, audio })));
}

/** The same of a video as it was served: at its tier, and of a draft's with the draft's sound. */
export function servedOf(spec: VideoSpec, facts: VideoFacts): Ordered {
  const ordered = orderedOf(spec);
  return {
    ...ordered,
    tier: facts.serviceTier === "default" ? "default" : ordered.tier,
    audio: spec.source === "draft" ? (facts.generateAudio ?? ordered.audio) : ordered.audio,
  };
}

/** Seconds of all that is counted: what is made, and what it may be made from. */
function countedSeconds({ offers }: VideoModel, spec: VideoSpec): number {
  const { durationSeconds, source, inputSeconds } = spec;
  if (source !== "video") return durationSeconds;
  return durationSeconds + (inputSeconds ?? offers.input_videos?.seconds_max ?? 0);
}

export interface VideoBound {
  /** At the exact size, or the largest one where the exact one is not known before. */
  readonly quoteUsage: TokenUsage;
  readonly holdAmount: Micropoints;
}

/** Throws `price_missing` when one of the cases has no rate. */
export function boundOf(sold: PricedModel<VideoModel>, spec: VideoSpec): VideoBound {
  const { model } = sold;
  const { resolution, ratio, durationSeconds, settings } = spec;
  const seconds = countedSeconds(model, spec);
  const most = videoTokensMax(resolution, seconds);
  const { calls_max = 0 } = settings?.tools?.length ? (model.offers.tools ?? {}) : {};
  const counted = {
    inputTokens: 0,
    seconds: Math.round(durationSeconds),
    ...(calls_max > 0 && { toolCalls: calls_max }),
  };
  const exact =
    ratio === "adaptive"
      ? most
      : videoTokens(videoSize(model.sizeGeneration, resolution, ratio), seconds);
  let holdAmount = 0n;
  for (const ordered of casesOf(model, spec)) {
    const amount = holdAmountOf({ ...counted, outputTokens: most, ordered }, sold);
    if (amount > holdAmount) holdAmount = amount;
  }
  return {
    quoteUsage: { ...counted, outputTokens: exact, ordered: orderedOf(spec) },
    holdAmount,
  };
}
