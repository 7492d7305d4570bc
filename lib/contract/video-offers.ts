/**
 * What a video model offers beyond lengths, sizes, frames and reference images: the member `offers`
 * of its spec. What it does not name is refused.
 */
import { z } from "zod";
import type { VideoOffers } from "../catalog/video-offers";
import { hostedTools, listedWords } from "./hosted-tools";
import { INPUT_MEDIA_MAX, VIDEO_SECONDS_MAX } from "./limits";

const OUTPUT_FORMATS = ["mp4", "mov"] as const;

export const videoOffers = z.strictObject({
  /** How many, and how many seconds all of them have at most: the bound of what they cost. */
  input_videos: z
    .strictObject({
      max: z.int().min(1).max(INPUT_MEDIA_MAX),
      seconds_max: z.int().min(1).max(VIDEO_SECONDS_MAX),
      /** Whether their seconds are read from the files, and held; else all that are allowed. */
      measured: z.boolean().optional(),
    })
    .optional(),
  input_audios_max: z.int().min(1).max(INPUT_MEDIA_MAX).optional(),
  /** Whether it takes `asset://` addresses: the files of its channels' own account. */
  assets: z.boolean().optional(),
  /** Whether the ratio may follow what it is made from, or the prompt. */
  adaptive_ratio: z.boolean().optional(),
  /** Whether it may decide the length: `duration` is -1. */
  auto_duration: z.boolean().optional(),
  frames: z.boolean().optional(),
  draft: z.boolean().optional(),
  /** Needs a rate for `tier=flex`. */
  flex: z.boolean().optional(),
  priority: z.boolean().optional(),
  tools: hostedTools.optional(),
  reference_tasks: listedWords.optional(),
  output_formats: z.array(z.enum(OUTPUT_FORMATS)).min(1).max(OUTPUT_FORMATS.length).optional(),
}) satisfies z.ZodType<VideoOffers>;
