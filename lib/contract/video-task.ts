/** `/v1/contents/generations/tasks`: a video is ordered, then polled by its id. */
import { z } from "zod";
import { openObject } from "./bounds";
import { ID_LENGTH_MAX, REQUESTED_MODEL_LENGTH_MAX } from "./limits";
import { callbackAddress, imageAddress, promptText, videoFields } from "./media-fields";
import { imageRoles, taskStatuses } from "./states";

const itemType = "The kind of item";
const textItem = openObject({
  type: z.literal("text").describe(itemType),
  text: promptText.describe(
    "What happens in the video; flags such as --resolution 480p --duration 5 may stand at its end",
  ),
});
const imageItem = openObject({
  type: z.literal("image_url").describe(itemType),
  image_url: openObject({
    url: imageAddress.describe("The address of the image, or the image itself"),
  }).describe("The image"),
  role: z
    .string()
    .max(40)
    .nullish()
    .meta({
      enum: [...imageRoles, null],
      default: "first_frame",
      description:
        "Whether the video begins or ends with the image, or only shows what is in it; each model has its own roles",
    }),
});

const contentItem = z.discriminatedUnion("type", [textItem, imageItem], {
  error: 'it must be "text" or "image_url"',
});

export const videoTaskRequest = openObject({
  ...videoFields,
  content: z
    .array(contentItem)
    .min(1)
    .max(64)
    .describe("One text that describes the video, and the images that belong to it"),
  callback_url: callbackAddress
    .nullish()
    .describe("The address that receives the task whenever its status changes"),
  safety_identifier: z
    .string()
    .max(64)
    .nullish()
    .describe("Accepted for other services' clients; it has no effect"),
});

export type VideoTaskRequest = z.infer<typeof videoTaskRequest>;

export const videoTaskCreated = z.object({
  id: z.string().describe("The id of the task"),
  model: z.string().describe("The model, as the request names it"),
});

export const videoTask = z.object({
  id: z.string().describe("The id of the task"),
  model: z.string().describe("The model, as the request names it"),
  status: z.enum(taskStatuses).describe("The status of the task"),
  error: z
    .object({
      code: z.string().describe("The failure's code"),
      message: z.string().describe("What happened, in a sentence"),
    })
    .nullable()
    .describe("Why there is no video; null unless the task failed, expired or was cancelled"),
  content: z
    .object({
      video_url: z.string().optional().describe("A signed link to the video, valid for 24 hours"),
      message: z
        .string()
        .optional()
        .describe("Why there is no link any more, once the 24 hours are over"),
    })
    .optional()
    .describe("The video, once the task has succeeded"),
  usage: z
    .object({
      completion_tokens: z.int().describe("The tokens of the video"),
      total_tokens: z.int().describe("The same as completion_tokens"),
    })
    .optional()
    .describe("The tokens that were charged, once the task has succeeded"),
  resolution: z.string().describe("The resolution: as requested, then that of the video"),
  ratio: z.string().describe("The ratio: as requested, then that of the video"),
  duration: z.number().describe("The length in seconds: as requested, then that of the video"),
  framespersecond: z.number().describe("The frames per second"),
  seed: z.int().optional().describe("The seed, where it is known"),
  generate_audio: z.boolean().describe("Whether sound was requested"),
  created_at: z.int().describe("When the task was created, in epoch seconds"),
  updated_at: z.int().describe("When its status last changed, in epoch seconds"),
});

export type VideoTaskView = z.infer<typeof videoTask>;

const PAGE_MAX = 500;
const IDS_CHARACTERS_MAX = PAGE_MAX * (ID_LENGTH_MAX + 1);

/** The query parameters of the list; others are ignored. */
export const videoTaskQuery = z.object({
  page_num: z
    .int()
    .min(1)
    .max(PAGE_MAX)
    .optional()
    .meta({ default: 1, description: "The number of the page" }),
  page_size: z
    .int()
    .min(1)
    .max(PAGE_MAX)
    .optional()
    .meta({ default: 20, description: "The number of tasks on a page" }),
  "filter.status": z.enum(taskStatuses).optional().describe("Only tasks with this status"),
  "filter.task_ids": z
    .string()
    .max(IDS_CHARACTERS_MAX)
    .optional()
    .describe("Only the tasks with these ids, up to 500, separated by commas"),
  "filter.model": z
    .string()
    .max(REQUESTED_MODEL_LENGTH_MAX)
    .optional()
    .describe("Only tasks of this model, by its identifier or alias"),
});

export const videoTaskList = z.object({
  items: z.array(videoTask).describe("The tasks on the page"),
  total: z.int().describe("The number of tasks on all pages"),
});
export const nothing = z.object({});
