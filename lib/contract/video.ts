/** `POST /v1/videos/generations`: a video in one call that waits until it is finished. */
import { z } from "zod";
import { openObject } from "./bounds";
import { ID_LENGTH_MAX, INPUT_MEDIA_MAX } from "./limits";
import { IMAGES_MAX, imageAddress, mediaAddress, promptText, videoFields } from "./media-fields";

export const videoRequest = openObject({
  ...videoFields,
  prompt: promptText.describe("What happens in the video"),
  first_frame_url: imageAddress
    .nullish()
    .describe("The image that the video begins with; not together with reference_images"),
  last_frame_url: imageAddress
    .nullish()
    .describe("The image that the video ends with, beside a first frame, where the model takes it"),
  reference_images: z
    .array(imageAddress)
    .max(IMAGES_MAX)
    .nullish()
    .describe("Images of what the video shows, where the model takes them"),
  reference_videos: z
    .array(mediaAddress)
    .max(INPUT_MEDIA_MAX)
    .nullish()
    .describe("Videos that it is made from, where the model takes them"),
  reference_audios: z
    .array(mediaAddress)
    .max(INPUT_MEDIA_MAX)
    .nullish()
    .describe("Sounds for the video beside a picture or a video, where the model takes them"),
  draft_task_id: z
    .string()
    .max(ID_LENGTH_MAX)
    .nullish()
    .describe("The task whose draft is made into the final video"),
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
