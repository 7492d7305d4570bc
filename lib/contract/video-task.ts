/** `/v1/contents/generations/tasks`: a video is ordered, then polled by its id. */
import { z } from "zod";
import { openObject } from "./bounds";
import { failureReason } from "./failure-body";
import { ID_LENGTH_MAX, REQUESTED_MODEL_LENGTH_MAX } from "./limits";
import {
  callbackAddress,
  callbackStates,
  imageAddress,
  mediaAddress,
  promptText,
  videoFields,
} from "./media-fields";
import { imageRoles, taskStatuses } from "./states";
import { serviceTiers } from "./video-settings";

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

const addressOf = openObject({ url: mediaAddress.describe("The address of the file") });
const roleOf = (role: string) =>
  z
    .literal(role, `it must be "${role}"`)
    .nullish()
    .describe("What the file is for; absent, it is the same");
const videoItem = openObject({
  type: z.literal("video_url").describe(itemType),
  video_url: addressOf.describe("The video, where the model takes one"),
  role: roleOf("reference_video"),
});
const audioItem = openObject({
  type: z.literal("audio_url").describe(itemType),
  audio_url: addressOf.describe("The sound, where the model takes one"),
  role: roleOf("reference_audio"),
});
const draftItem = openObject({
  type: z.literal("draft_task").describe(itemType),
  draft_task: openObject({
    id: z.string().max(ID_LENGTH_MAX).describe("The id of a task that made a draft"),
  }).describe("The draft that is made into the final video"),
});

const contentItem = z.discriminatedUnion(
  "type",
  [textItem, imageItem, videoItem, audioItem, draftItem],
  { error: 'it must be "text", "image_url", "video_url", "audio_url" or "draft_task"' },
);

/** Where a task's states are told. */
export const callbackFields = {
  callback_url: callbackAddress
    .nullish()
    .describe("The address that receives the task whenever its status changes"),
  callback_states: callbackStates,
};

export const videoTaskRequest = openObject({
  ...videoFields,
  content: z
    .array(contentItem)
    .min(1)
    .max(64)
    .describe("One text that describes the video, and the images that belong to it"),
  ...callbackFields,
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
  error: failureReason
    .extend({
      upstream_code: z
        .string()
        .optional()
        .describe("The upstream's own code, where the order can be changed because of it"),
    })
    .nullable()
    .describe("Why there is no video; null unless the task failed, expired or was cancelled"),
  content: z
    .object({
      video_url: z.string().optional().describe("A signed link to the video, valid for 24 hours"),
      last_frame_url: z
        .string()
        .optional()
        .describe("A signed link to a picture of the last frame, where it was ordered"),
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
      tool_usage: z
        .record(z.string(), z.int())
        .optional()
        .describe("The calls of each tool, where the upstream made any"),
    })
    .optional()
    .describe("The tokens that were charged, once the task has succeeded"),
  resolution: z.string().describe("The resolution: as requested, then that of the video"),
  ratio: z.string().describe("The ratio: as requested, then that of the video"),
  duration: z.number().describe("The length in seconds: as requested, then that of the video"),
  framespersecond: z.number().describe("The frames per second"),
  seed: z.int().optional().describe("The seed, where it is known"),
  generate_audio: z.boolean().describe("Whether it has sound: as requested, then as made"),
  service_tier: z.string().optional().describe("The tier: as requested, then as served"),
  draft: z.boolean().optional().describe("Whether it is a draft, where that was said"),
  draft_task_id: z.string().optional().describe("The task whose draft it was made from"),
  return_last_frame: z.boolean().optional().describe("Whether the last frame was requested"),
  frames: z.int().optional().describe("The frames, where they were requested"),
  execution_expires_after: z.int().optional().describe("The seconds that were requested"),
  priority: z.int().optional().describe("The priority that was requested"),
  tools: z
    .array(z.object({ type: z.string().describe("The tool") }))
    .readonly()
    .optional()
    .describe("The tools that were requested"),
  output_format: z.string().optional().describe("The format that was requested"),
  omni_reference_task_type: z.string().optional().describe("As it was requested"),
  safety_identifier: z
    .string()
    .optional()
    .describe("As it was requested, as long as the prompt is stored"),
  revised_prompt: z
    .string()
    .optional()
    .describe("The prompt that the upstream made of it, as long as the prompt is stored"),
  created_at: z.int().describe("When the task was created, in epoch seconds"),
  updated_at: z.int().describe("When its status last changed, in epoch seconds"),
});

export type VideoTaskView = z.infer<typeof videoTask>;

const PAGE_MAX = 500;
/** An address and its headers have room for it (`head_too_large`). */
const TASK_IDS_CHARACTERS_MAX = 17_000;
const taskIdsText = /^[A-Za-z0-9_,-]*$/;
/** Whether `filter.task_ids` may be this. */
export const isTaskIds = (text: string): boolean =>
  text.length <= TASK_IDS_CHARACTERS_MAX && taskIdsText.test(text);
/** What is said of another one. */
export const taskIdsRule = `it must be ids separated by commas, of at most ${TASK_IDS_CHARACTERS_MAX} characters`;

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
  "filter.status": z
    .enum([...taskStatuses, ""])
    .optional()
    .describe("Only tasks with this status; empty for all"),
  "filter.task_ids": z
    .string()
    .max(TASK_IDS_CHARACTERS_MAX)
    .regex(taskIdsText, taskIdsRule)
    .optional()
    .meta({
      title: "text",
      description: "Only the tasks with these ids, up to 500, separated by commas",
    }),
  "filter.model": z
    .string()
    .max(REQUESTED_MODEL_LENGTH_MAX)
    .optional()
    .describe("Only tasks of this model, by its identifier or alias"),
  "filter.service_tier": z
    .enum([...serviceTiers, ""])
    .optional()
    .describe("Only tasks of this tier: as served, or as requested until then; empty for all"),
});

export const videoTaskList = z.object({
  items: z.array(videoTask).describe("The tasks on the page"),
  total: z.int().describe("The number of tasks on all pages"),
});
export const nothing = z.object({});
