/** An image as its owner reads it by its id, however it was ordered. */
import { z } from "zod";
import { failureReason } from "./failure-body";
import { imageFacts, imageUsage } from "./image";
import { taskStatuses } from "./states";

export const imageTask = z.object({
  id: z
    .string()
    .describe("The id of the image: that of its task, or of the request that waited for it"),
  model: z.string().describe("The model, as the request names it"),
  status: z.enum(taskStatuses).describe("The status of the image"),
  error: failureReason
    .nullable()
    .describe("Why there is no image; null unless it failed, expired or was cancelled"),
  data: z
    .array(
      z.object({
        url: z.string().optional().describe("A signed link to the image, valid for 24 hours"),
        message: z
          .string()
          .optional()
          .describe("Why there is no link any more, once the 24 hours are over"),
        ...imageFacts,
      }),
    )
    .optional()
    .describe("The images, once the order has succeeded: one, unless several were ordered"),
  usage: imageUsage.optional().describe("What was charged, once it has succeeded"),
  size: z.string().describe("The size that was ordered, in pixels"),
  created_at: z.int().describe("When the image was ordered, in epoch seconds"),
  updated_at: z.int().describe("When its status last changed, in epoch seconds"),
});
export type ImageTaskView = z.infer<typeof imageTask>;

export const imageTaskList = z.object({
  items: z.array(imageTask).describe("The images on the page"),
  total: z.int().describe("The number of images on all pages"),
});
