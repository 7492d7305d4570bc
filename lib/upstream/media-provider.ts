/**
 * The interface of an adapter for video and image models. Adapters report usage and never touch
 * points.
 */

import type { PixelSize, Ratio, Resolution } from "../catalog/video-sizes";
import type { ImageLayer } from "../contract/image-layer";
import type { PassedImageField } from "../contract/media-fields";
import type { OpenTaskStatus, RefusalReason, TaskStatus } from "../contract/states";
import type { VideoSettings } from "../contract/video-settings";
import type { InlineImages } from "../json/inline-images";
import type { Channel, UpstreamFailure, UsageFault } from "./provider";

/** What an order says of a video that no model changes. */
export interface VideoFlags {
  readonly seed: number | null;
  readonly generateAudio: boolean;
  readonly watermark: boolean;
  readonly cameraFixed: boolean | null;
}

/**
 * The parameters of a video as ordered and stored: checked, normalized, the prompt without flags.
 */
export interface VideoSpec extends VideoFlags {
  readonly prompt: string;
  readonly resolution: Resolution;
  /** `adaptive`: the ratio of the first frame. */
  readonly ratio: Ratio | "adaptive";
  readonly durationSeconds: number;
  /** What was ordered besides, under the names of the wire; absent for nothing. */
  readonly settings?: VideoSettings;
  /** The upstream decides the length, up to `durationSeconds`. */
  readonly isAutoLength?: boolean;
  /** It is made from a video, or is the final video of a draft. */
  readonly source?: "video" | "draft";
  /** The seconds of the videos that it is made from, where they were measured. */
  readonly inputSeconds?: number;
  /** Our id of the task that made the draft. */
  readonly draftTask?: string;
  /** Of which the customer's address is told; absent for all. */
  readonly callbackStates?: readonly TaskStatus[];
  /** The time of day of the order, where its price depends on it. */
  readonly time?: string;
}

/** The addresses of the images that a video is made from. */
export interface VideoImages {
  readonly firstFrameUrl: string | null;
  /** Absent for none; never without a first frame. */
  readonly lastFrameUrl?: string | null;
  readonly referenceImageUrls: readonly string[];
  readonly referenceVideoUrls?: readonly string[];
  readonly referenceAudioUrls?: readonly string[];
  /** The upstream's id of the task that made the draft. */
  readonly draftRef?: string;
  /**
   * The bytes of images that came inside the request. Only the process that received the request
   * has them.
   */
  readonly inlineImages?: InlineImages | undefined;
}

/** What an order has that says nothing of it. */
export const plainVideo = {
  seed: null,
  generateAudio: false,
  watermark: false,
  cameraFixed: null,
  firstFrameUrl: null,
  referenceImageUrls: [],
} as const;

/** A video order, as it is sent to an upstream. */
export interface VideoOrder extends VideoSpec, VideoImages {
  /** Catalogue identifier. */
  readonly model: string;
  /** Our id of the task. It is sent along when the protocol has a field for it. */
  readonly clientReference: string;
}

/** Facts that the upstream reports about a finished video; null for those that it does not. */
export interface VideoFacts {
  readonly resolution: string | null;
  readonly ratio: string | null;
  readonly durationSeconds: number | null;
  readonly framesPerSecond: number | null;
  readonly seed: number | null;
  /** As it was served; these are absent where the upstream does not say. */
  readonly serviceTier?: string;
  readonly generateAudio?: boolean;
  readonly frames?: number;
  readonly toolCalls?: Readonly<Record<string, number>>;
  readonly revisedPrompt?: string;
}

export type VideoState =
  | { readonly status: OpenTaskStatus }
  | {
      readonly status: "succeeded";
      readonly videoUrl: string;
      /** Where a picture of the video may be had; not every upstream makes one. */
      readonly thumbnailUrl?: string;
      readonly lastFrameUrl?: string;
      /** True when the files can be had only with the channel's credential. */
      readonly needsCredential?: boolean;
      /** Null with a fault, and without one for a protocol that never counts tokens. */
      readonly outputTokens: number | null;
      readonly usageFault: UsageFault | null;
      /** The delivered size, where the protocol names it in pixels. */
      readonly pixels?: PixelSize | null;
      readonly reported: unknown;
      readonly facts: VideoFacts;
    }
  /** `code` is the client's error. A task in one of these states costs nothing. */
  | {
      readonly status: Exclude<TaskStatus, OpenTaskStatus | "succeeded">;
      readonly code: "upstream_failed" | "content_rejected" | "audio_review_failed" | RefusalReason;
      readonly internal: string;
      /** The upstream's own words, as in `UpstreamFailure`. */
      readonly said?: string;
      /** The upstream's own code, where the failure is one that its client can act on. */
      readonly upstreamCode?: string;
    };

export type SubmitResult =
  | { readonly isOk: true; readonly upstreamRef: string }
  | { readonly isOk: false; readonly failure: UpstreamFailure };

export type ReadResult =
  | { readonly isOk: true; readonly state: VideoState }
  /** `isGone`: the upstream does not have the task and never will. */
  | { readonly isOk: false; readonly isGone: boolean; readonly failure: UpstreamFailure };

export type CancelResult = "cancelled" | "running" | "ended" | "unknown";

/** No call rejects or throws. */
export interface VideoProvider {
  submit(channel: Channel, order: VideoOrder): Promise<SubmitResult>;
  read(channel: Channel, upstreamRef: string): Promise<ReadResult>;
  cancel(channel: Channel, upstreamRef: string): Promise<CancelResult>;
}

/** What an order of images may set; absent for what is the upstream's own. */
export interface ImageSettings {
  readonly outputFormat?: string;
  readonly guidanceScale?: number;
  readonly promptMode?: string;
  readonly watermark?: true;
  /** True where the model decides how many images it makes, up to the count. */
  readonly isSequence?: true;
  /** How often each image is shown before it is finished. */
  readonly partialImages?: number;
  /** Tools that run at the upstream, as they were ordered. */
  readonly tools?: readonly object[];
  /** True where the last of the pictures is the mask of the others, or is drawn over the first. */
  readonly hasMask?: true;
  readonly hasMarkup?: true;
  /** True where the image is taken apart into layers, up to the count. */
  readonly isLayered?: true;
  /** Of each image, a GIF; absent for an image that stands still. */
  readonly frames?: number;
  readonly frameMs?: number;
  /** Under the names of the Images API; absent for none. */
  readonly passed?: Readonly<Partial<Record<PassedImageField, string | number | boolean>>>;
}

export interface ImageOrder extends ImageSettings {
  readonly model: string;
  readonly prompt: string;
  /** In pixels, or by its name. */
  readonly size: string;
  /** The most images; one if absent. */
  readonly count?: number;
  readonly imageUrls: readonly string[];
  /** The bytes of the inline images that addresses in the order represent. */
  readonly inlineImages?: InlineImages | undefined;
  readonly seed: number | null;
  /** Absent or null for the upstream's usual one. */
  readonly quality?: string | null;
  /**
   * Gets each of several images as it is ready, before the result, which has them too and in the same
   * order. Not called by an upstream that answers whole.
   */
  readonly onImage?: ((image: MadeImage | MissingImage) => void) | undefined;
  /** Gets each picture of an image that is not finished. */
  readonly onPartial?: ((picture: PartialImage) => void) | undefined;
}

export interface PartialImage {
  readonly image: MadeImage;
  /** Its place among those of one image. */
  readonly index: number;
}

/** An image's address, or its bytes. */
export type MadeImage = ({ readonly url: string } | { readonly bytes: readonly Uint8Array[] }) & {
  /** Absent for an image that is no layer. */
  readonly layer?: ImageLayer;
};
/** Why one of several images is missing. */
export type MissingImage = { readonly failure: UpstreamFailure };

export type ImageResult =
  | {
      readonly isOk: true;
      /** At least one of them was made. */
      readonly images: readonly (MadeImage | MissingImage)[];
      /** The tokens that the upstream reports. The delivered image decides the charge. */
      readonly outputTokens: number | null;
      /** The pictures that were shown before; absent for none. */
      readonly partialImages?: number;
      /** Calls of the upstream's tools; absent for none. */
      readonly toolCalls?: number;
      readonly reported: unknown;
      readonly upstreamRef: string | null;
    }
  | { readonly isOk: false; readonly failure: UpstreamFailure };

export interface ImageProvider {
  generate(channel: Channel, order: ImageOrder): Promise<ImageResult>;
}
