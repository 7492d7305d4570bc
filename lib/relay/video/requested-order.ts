import type { TaskStatus } from "../../contract/states";
import type { VideoSettings } from "../../contract/video-settings";
import type { VideoFlags } from "../../upstream/media-provider";

export type Named = "resolution" | "ratio" | "duration";
type FileKind = "firstFrame" | "lastFrame" | "references" | "videos" | "audios" | "draft";

/**
 * A request's fields, before the model's rules are applied. `params` names the source of each
 * field, for messages.
 */
export interface RequestedVideo extends VideoFlags {
  readonly model: string;
  readonly prompt: string;
  readonly resolution: string | null;
  readonly ratio: string | null;
  readonly duration: number | null;
  readonly settings: VideoSettings;
  readonly firstFrameUrl: string | null;
  readonly lastFrameUrl: string | null;
  readonly referenceImageUrls: readonly string[];
  readonly referenceVideoUrls: readonly string[];
  readonly referenceAudioUrls: readonly string[];
  /** Our id of the task that made the draft. */
  readonly draftTask: string | null;
  /** Absent or null for all. */
  readonly callbackStates?: readonly TaskStatus[] | null;
  readonly params: Readonly<Record<Named | FileKind, string>>;
  /** Their names in messages: as the field, or as the flag. */
  readonly labels: Readonly<Record<Named, string>>;
}
