/** What a video is made from, as fields of an order: in one call, and in the Videos API. */
import { z } from "zod";
import { ID_LENGTH_MAX, INPUT_MEDIA_MAX } from "./limits";
import { IMAGES_MAX, imageAddress, mediaAddress } from "./media-fields";

export const videoInputs = {
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
};
