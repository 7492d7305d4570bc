/** Reads a video of the Videos API into one of our task states. */

import { type PixelSize, videoSizeNamed } from "../../catalog/video-sizes";
import { isTaskOpen } from "../../contract/states";
import type { VideoState } from "../media-provider";
import type { JsonObject } from "../provider";
import { positiveNumber } from "../transport/answer-members";
import { taskStatusOf } from "../transport/task-status";
import { failedState } from "../transport/video-tasks";

const SIDE_MAX = 4096;

function pixelsOf(size: string): PixelSize | null {
  const [, width = 0, height = 0] = (/^(\d{2,4})x(\d{2,4})$/.exec(size) ?? []).map(Number);
  return width > 0 && height > 0 && Math.max(width, height) <= SIDE_MAX ? [width, height] : null;
}

/** The seconds, which are a text in this API. */
const secondsOf = (value: unknown) =>
  positiveNumber(
    typeof value === "string" && /^\d{1,4}(\.\d{1,3})?$/.test(value) ? Number(value) : value,
  );

/** Null when the body is no video. `contentUrl`: where the file is once it is complete. */
export function readVideo(video: JsonObject | null, contentUrl: string): VideoState | null {
  if (typeof video?.status !== "string") return null;
  const status = taskStatusOf(video.status);
  if (isTaskOpen(status)) return { status };
  if (status !== "succeeded") return failedState(status, video.error);
  const size = typeof video.size === "string" ? video.size : "";
  const { resolution = null, ratio = null } = videoSizeNamed(size) ?? {};
  const durationSeconds = secondsOf(video.seconds);
  return {
    status,
    videoUrl: contentUrl,
    thumbnailUrl: `${contentUrl}?variant=thumbnail`,
    needsCredential: true,
    // The API counts no tokens. Size and seconds decide, and each was ordered if it is not named.
    outputTokens: null,
    usageFault: null,
    reported: null,
    pixels: pixelsOf(size),
    facts: { resolution, ratio, durationSeconds, framesPerSecond: null, seed: null },
  };
}
