/** `POST /v1/videos/generations`: a video in one call that waits until it is finished. */
import { z } from "zod";
import { openObject } from "./bounds";
import { promptText, videoFields } from "./media-fields";
import { videoInputs } from "./video-inputs";

export const videoRequest = openObject({
  ...videoFields,
  ...videoInputs,
  prompt: promptText.describe("What happens in the video"),
});

export type VideoRequest = z.infer<typeof videoRequest>;

export const videoResponse = z.object({
  id: z.string().describe("The id of the task, with which the video can be found again"),
  model: z.string().describe("The model, as the request names it"),
  video_url: z.string().describe("A signed link to the video, valid for 24 hours"),
  duration: z.number().describe("The length of the video in seconds"),
  resolution: z.string().describe("The resolution of the video"),
  ratio: z.string().describe("The ratio of the video"),
  usage: z
    .object({
      completion_tokens: z.int().describe("The tokens of the video"),
      total_tokens: z.int().describe("The same as completion_tokens"),
    })
    .nullable()
    .describe("The tokens that were charged"),
  created: z.int().describe("When the video was requested, in epoch seconds"),
});
