/** Tests a channel for an operator. Nobody is charged, and the test counts towards no limit. */
import { parseImageSize } from "../catalog/image-sizes";
import type { ImageModel, Model, TextModel, VideoModel } from "../catalog/models";
import type { ChannelProfile } from "../contract/channel-profile";
import type { NoteTestCall } from "./attempt";
import { findProfile } from "./find-profile";
import { type CancelResult, plainVideo } from "./media-provider";
import { createProber } from "./probe";
import type { Channel, UpstreamFailure } from "./provider";
import type { Providers } from "./providers";

const PROMPT = "A grey square on a white ground.";

/**
 * `answered`: a complete answer came. `accepted`: a video order was accepted, and its cancellation
 * tried. `reached`: address and credential work; nothing was ordered.
 */
export interface Trial {
  readonly stage: "answered" | "accepted" | "reached";
  readonly latencyMs: number;
  readonly usage: { readonly inputTokens: number; readonly outputTokens: number } | null;
  readonly failure: UpstreamFailure | null;
  /** The result of cancelling the video order at once. */
  readonly cancelled: CancelResult | null;
  /** What was found out about an upstream of text that answered; null otherwise. */
  readonly profile: ChannelProfile | null;
}

type Tried = Partial<Trial> & Pick<Trial, "stage">;
type Ordered = Tried & { readonly upstreamRef: string | null };

async function tryText(
  providers: Providers,
  channel: Channel,
  model: TextModel,
  note: NoteTestCall,
): Promise<Tried> {
  const prober = createProber(providers.chat, channel, channel.models[model.id] ?? model.id, note);
  const { first, profile, reads } = await findProfile(prober, channel, providers.listsModels);
  if (first.failure !== null) return { stage: "answered", failure: first.failure };
  const { usage } = first.end;
  return {
    stage: "answered",
    usage: usage && { inputTokens: usage.inputTokens, outputTokens: usage.outputTokens },
    profile: { ...profile, reads: { [model.id]: reads } },
    latencyMs: Math.round(first.tookMs),
  };
}

async function tryImage(
  { image }: Providers,
  channel: Channel,
  model: ImageModel,
): Promise<Ordered> {
  const result = await image.generate(channel, {
    model: model.id,
    prompt: PROMPT,
    size: (parseImageSize(model.sizeDefault) ?? []).join("x"),
    imageUrls: [],
    seed: null,
    quality: model.qualityDefault,
  });
  if (!result.isOk) return { stage: "answered", failure: result.failure, upstreamRef: null };
  return {
    stage: "answered",
    upstreamRef: result.upstreamRef,
    usage:
      result.outputTokens === null ? null : { inputTokens: 0, outputTokens: result.outputTokens },
  };
}

/** A length in seconds that most video models have and that the Videos API takes: it takes 4, 8 and 12. */
const VIDEO_API_SECONDS = 8;

/** The shortest length, or the Videos API's own where the model has it. */
function trialSeconds({ protocol }: Channel, model: VideoModel): number {
  const { durations, durationSecondsMin: min, durationSecondsMax: max } = model;
  const hasOwn =
    durations?.includes(VIDEO_API_SECONDS) ??
    (min <= VIDEO_API_SECONDS && VIDEO_API_SECONDS <= max);
  return protocol === "openai" && hasOwn ? VIDEO_API_SECONDS : min;
}

async function tryVideo(
  { video }: Providers,
  channel: Channel,
  model: VideoModel,
  reference: string,
): Promise<Ordered> {
  const result = await video.submit(channel, {
    model: model.id,
    prompt: PROMPT,
    resolution: model.resolutions[0] ?? model.resolutionDefault,
    ratio: model.ratioDefault,
    durationSeconds: trialSeconds(channel, model),
    ...plainVideo,
    clientReference: reference,
  });
  if (!result.isOk) return { stage: "accepted", failure: result.failure, upstreamRef: null };
  const { upstreamRef } = result;
  return { stage: "accepted", upstreamRef, cancelled: await video.cancel(channel, upstreamRef) };
}

/**
 * Chat is always tested with a few real requests, which cost some hundred tokens. Images and videos only with
 * `isReal`. Never rejects.
 */
export async function tryChannel(
  providers: Providers,
  channel: Channel,
  model: Model,
  { isReal, reference, note }: { isReal: boolean; reference: string; note: NoteTestCall },
): Promise<Trial> {
  const startedAt = performance.now();
  async function attempt(): Promise<Tried> {
    if (model.family === "text") return tryText(providers, channel, model, note);
    if (!isReal) return { stage: "reached", failure: await providers.reach(channel) };
    const { upstreamRef, ...tried } =
      model.family === "image"
        ? await tryImage(providers, channel, model)
        : await tryVideo(providers, channel, model, reference);
    const tookMs = performance.now() - startedAt;
    note({ failure: tried.failure ?? null, upstreamRef, tookMs });
    return tried;
  }
  const tried = await attempt();
  return {
    usage: null,
    failure: null,
    cancelled: null,
    profile: null,
    latencyMs: Math.round(performance.now() - startedAt),
    ...tried,
  };
}
