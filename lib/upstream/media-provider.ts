/** What an adapter for video and image models is given and what it must answer. It reports usage and never touches money. */

import type { Ratio, Resolution } from "../catalog/video-sizes";
import type { OpenTaskStatus, TaskStatus } from "../contract/states";
import type { InlineImages } from "../json/inline-images";
import type { Channel, UpstreamFailure, UsageFault } from "./provider";

/** A video as it is bought and stored: checked, normalized, its prompt free of flags. */
export interface VideoSpec {
  readonly prompt: string;
  readonly resolution: Resolution;
  /** `adaptive`: as the first frame has it. */
  readonly ratio: Ratio | "adaptive";
  readonly durationSeconds: number;
  readonly seed: number | null;
  readonly generateAudio: boolean;
  readonly watermark: boolean;
  readonly cameraFixed: boolean | null;
}

/** The images that a video is made from, by their addresses. */
export interface VideoImages {
  readonly firstFrameUrl: string | null;
  readonly referenceImageUrls: readonly string[];
  /** The bytes of those that were sent within the request; only the process that took it has them. */
  readonly inlineImages?: InlineImages;
}

/** A video as it is ordered from an upstream. */
export interface VideoOrder extends VideoSpec, VideoImages {
  /** Catalogue identifier. */
  readonly model: string;
  /** Our own id of the task, sent along where the protocol has a place for it. */
  readonly clientReference: string;
}

/** What a finished video is, as far as the upstream says; null where it does not. */
export interface VideoFacts {
  readonly resolution: string | null;
  readonly ratio: string | null;
  readonly durationSeconds: number | null;
  readonly framesPerSecond: number | null;
  readonly seed: number | null;
}

export type VideoState =
  | { readonly status: OpenTaskStatus }
  | {
      readonly status: "succeeded";
      readonly videoUrl: string;
      readonly outputTokens: number | null;
      readonly usageFault: UsageFault | null;
      readonly reported: unknown;
      readonly facts: VideoFacts;
    }
  /** `code` is what the customer is told; none of these costs anything. */
  | {
      readonly status: Exclude<TaskStatus, OpenTaskStatus | "succeeded">;
      readonly code: "upstream_failed" | "content_rejected" | "audio_review_failed" | "invalid_value";
      readonly internal: string;
    };

export type SubmitResult =
  | { readonly isOk: true; readonly upstreamRef: string }
  | { readonly isOk: false; readonly failure: UpstreamFailure };

export type ReadResult =
  | { readonly isOk: true; readonly state: VideoState }
  /** `isGone`: the upstream knows no such task and never will. */
  | { readonly isOk: false; readonly isGone: boolean; readonly failure: UpstreamFailure };

export type CancelResult = "cancelled" | "running" | "ended" | "unknown";

/** No call rejects or throws. */
export interface VideoProvider {
  submit(channel: Channel, order: VideoOrder): Promise<SubmitResult>;
  read(channel: Channel, upstreamRef: string): Promise<ReadResult>;
  cancel(channel: Channel, upstreamRef: string): Promise<CancelResult>;
}

export interface ImageOrder {
  readonly model: string;
  readonly prompt: string;
  readonly width: number;
  readonly height: number;
  readonly imageUrls: readonly string[];
  /** What the addresses only stand in for. */
  readonly inlineImages?: InlineImages;
  readonly seed: number | null;
}

export type ImageResult =
  | {
      readonly isOk: true;
      /** Where the image lies, or its bytes. */
      readonly image: { readonly url: string } | { readonly bytes: readonly Uint8Array[] };
      /** As the upstream reports them; the image delivered decides. */
      readonly outputTokens: number | null;
      readonly reported: unknown;
      readonly upstreamRef: string | null;
    }
  | { readonly isOk: false; readonly failure: UpstreamFailure };

export interface ImageProvider {
  generate(channel: Channel, order: ImageOrder): Promise<ImageResult>;
}
