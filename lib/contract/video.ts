/** `POST /v1/videos/generations`: a video in one call that waits until it is finished. */
import { z } from "zod";
import { openObject } from "./bounds";
import { IMAGES_MAX, imageAddress, promptText, videoFields } from "./media-fields";

export const videoRequest = openObject({
  ...videoFields,
  prompt: promptText.min(1),
  first_frame_url: imageAddress.nullish(),
  reference_images: z.array(imageAddress).max(IMAGES_MAX).nullish(),
});

export type VideoRequest = z.infer<typeof videoRequest>;

export const videoResponse = z.object({
  id: z.string(),
  model: z.string(),
  video_url: z.string(),
  duration: z.number(),
  resolution: z.string(),
  ratio: z.string(),
  usage: z.object({ completion_tokens: z.int(), total_tokens: z.int() }).nullable(),
  created: z.int(),
});
