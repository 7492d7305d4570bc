/** `/v1/contents/generations/tasks`: a video is ordered, then polled by its id. */
import { z } from "zod";
import { openObject } from "./bounds";
import { callbackAddress, imageAddress, promptText, videoFields } from "./media-fields";
import { imageRoles, taskStatuses } from "./states";

const textItem = openObject({ type: z.literal("text"), text: promptText });
const imageItem = openObject({
  type: z.literal("image_url"),
  image_url: openObject({ url: imageAddress }),
  role: z
    .string()
    .max(40)
    .nullish()
    .meta({ enum: [...imageRoles, null] }),
});

const contentItem = z.discriminatedUnion("type", [textItem, imageItem], {
  error: 'it must be "text" or "image_url"',
});

export const videoTaskRequest = openObject({
  ...videoFields,
  content: z.array(contentItem).min(1).max(64),
  callback_url: callbackAddress.nullish(),
  safety_identifier: z.string().max(64).nullish(),
});

export type VideoTaskRequest = z.infer<typeof videoTaskRequest>;

export const videoTaskCreated = z.object({ id: z.string(), model: z.string() });

export const videoTask = z.object({
  id: z.string(),
  model: z.string(),
  status: z.enum(taskStatuses),
  error: z.object({ code: z.string(), message: z.string() }).nullable(),
  content: z
    .object({ video_url: z.string().optional(), message: z.string().optional() })
    .optional(),
  usage: z.object({ completion_tokens: z.int(), total_tokens: z.int() }).optional(),
  resolution: z.string(),
  ratio: z.string(),
  duration: z.number(),
  framespersecond: z.number(),
  seed: z.int().optional(),
  generate_audio: z.boolean(),
  created_at: z.int(),
  updated_at: z.int(),
});

export type VideoTaskView = z.infer<typeof videoTask>;

export const videoTaskList = z.object({ items: z.array(videoTask), total: z.int() });
export const nothing = z.object({});
