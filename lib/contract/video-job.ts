/**
 * `/v1/videos`: a task in the form of the Videos API. Its states, sizes and errors have other names;
 * the task is the same.
 */
import { z } from "zod";
import { openObject } from "./bounds";
import { failureReason } from "./failure-body";
import { ID_LENGTH_MAX } from "./limits";
import {
  IMAGES_MAX,
  imageAddress,
  NAME_OF_SIZE_CHARACTERS_MAX,
  promptText,
  videoFields,
} from "./media-fields";
import { unsupportedField } from "./neutral";
import { imageRoles, videoJobStatuses } from "./states";
import { videoInputs } from "./video-inputs";
import { callbackFields } from "./video-task";

const SECONDS_TEXT = "it must be a whole number of seconds, such as 5";
const secondsMax = 9999;

const reference = openObject({
  image_url: imageAddress.describe("The address of the image, or the image itself"),
  role: z.enum(imageRoles).nullish().meta({
    default: "first_frame",
    description:
      "Whether the video begins or ends with the image, or only shows what is in it; each model has its own roles",
  }),
  file_id: unsupportedField,
});

export const videoJobRequest = openObject({
  ...videoFields,
  ...videoInputs,
  prompt: promptText.describe("What happens in the video"),
  seconds: z
    .union(
      [
        z
          .string()
          .max(10)
          .regex(/^\d{1,4}$/, SECONDS_TEXT)
          .meta({ title: "text" }),
        z.int().min(0).max(secondsMax),
      ],
      {
        error: SECONDS_TEXT,
      },
    )
    .nullish()
    .describe(
      "The length in seconds; below the model's minimum it is raised to it, above the maximum it is refused",
    ),
  duration: videoFields.duration.describe("The same as seconds, by our own name"),
  resolution: videoFields.resolution.describe("The resolution, as in size"),
  ratio: videoFields.ratio.describe("The ratio, as in size"),
  size: z
    .string()
    .max(NAME_OF_SIZE_CHARACTERS_MAX)
    .nullish()
    .describe(
      "<width>x<height> in pixels, such as 1280x720: the model's own size of that resolution and ratio",
    ),
  input_reference: z
    .union([imageAddress, reference, z.array(reference).min(1).max(IMAGES_MAX)], {
      error: "it must be a file, the URL of an image, or an object with an image_url, or several",
    })
    .nullish()
    .describe(
      "The image that the video begins with, or images with their roles; in a form also a file: PNG, JPEG or WebP",
    ),
  ...callbackFields,
});

export type VideoJobRequest = z.infer<typeof videoJobRequest>;

const optionalMoment = z.int().nullable();

export const videoJob = z.object({
  id: z.string().describe("The id of the video, which is the id of its task"),
  object: z.literal("video").describe("The kind of object"),
  model: z.string().describe("The model, as the request names it"),
  status: z
    .enum(videoJobStatuses)
    .describe("The status; an expired or cancelled task is failed, with its own code"),
  progress: z
    .int()
    .describe("0 while the video is queued, 50 while it is made, 100 once it is completed"),
  prompt: z.string().nullable().describe("The prompt; null once it is no longer stored"),
  size: z
    .string()
    .describe(
      "<width>x<height> in pixels; only the resolution while the ratio depends on the first frame",
    ),
  seconds: z.string().describe("The length in seconds: as requested, then that of the video"),
  created_at: z.int().describe("When the video was requested, in epoch seconds"),
  completed_at: optionalMoment.describe("When it was completed, in epoch seconds; otherwise null"),
  expires_at: optionalMoment.describe(
    "Until when its file can be read, in epoch seconds; null before it is completed",
  ),
  error: failureReason.nullable().describe("Why there is no video; null unless it failed"),
  remixed_from_video_id: z.null().describe("Always null: videos are not remixed"),
});

export type VideoJobView = z.infer<typeof videoJob>;

export const videoJobQuery = openObject({
  limit: z.coerce
    .number()
    .int()
    .min(1)
    .max(100)
    .optional()
    .meta({ default: 20, description: "The number of videos of one page" }),
  after: z
    .string()
    .max(ID_LENGTH_MAX)
    .optional()
    .describe("The id of the last video of the page before"),
  order: z
    .enum(["asc", "desc"])
    .optional()
    .meta({ default: "desc", description: "Whether the oldest or the newest video comes first" }),
});

const edgeId = z.string().nullable();

export const videoJobList = z.object({
  object: z.literal("list").describe("The kind of object"),
  data: z.array(videoJob).describe("The videos of the page"),
  first_id: edgeId.describe("The id of the first video; null for an empty page"),
  last_id: edgeId.describe("The id of the last video; null for an empty page"),
  has_more: z.boolean().describe("Whether there is another page"),
});

export const videoJobDeleted = z.object({
  id: z.string().describe("The id of the video"),
  object: z.literal("video.deleted").describe("The kind of object"),
  deleted: z.literal(true).describe("Always true"),
});

export const videoContentQuery = openObject({
  variant: z.enum(["video", "thumbnail", "last_frame"]).optional().meta({
    default: "video",
    description:
      "Which file: the video, a picture of it where its upstream made one, or its last frame where return_last_frame asked for it",
  }),
});
