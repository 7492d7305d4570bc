/** An image as its owner reads it by its id, however it was ordered. */
import { z } from "zod";
import { itemError } from "./image";
import { layerFields } from "./image-layer";
import { taskStatuses } from "./states";

export const imageTask = z.object({
  id: z
    .string()
    .describe("The id of the image: that of its task, or of the request that waited for it"),
  model: z.string().describe("The model, as the request names it"),
  status: z.enum(taskStatuses).describe("The status of the image"),
  error: z
    .object({
      code: z.string().describe("The failure's code"),
      message: z.string().describe("What happened, in a sentence"),
    })
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
        size: z
          .string()
          .optional()
          .describe("<width>x<height> of the image in pixels; absent for one that failed"),
        ...layerFields,
        error: itemError.optional(),
      }),
    )
    .optional()
    .describe("The images, once the order has succeeded: one, unless several were ordered"),
  usage: z
    .object({
      generated_images: z.int().describe("The number of images"),
      output_tokens: z.int().describe("The tokens that were charged: the pixels divided by 256"),
      total_tokens: z.int().describe("The same as output_tokens"),
    })
    .optional()
    .describe("What was charged, once it has succeeded"),
  size: z.string().describe("The size that was ordered, in pixels"),
  created_at: z.int().describe("When the image was ordered, in epoch seconds"),
  updated_at: z.int().describe("When its status last changed, in epoch seconds"),
});
export type ImageTaskView = z.infer<typeof imageTask>;

export const imageTaskList = z.object({
  items: z.array(imageTask).describe("The images on the page"),
  total: z.int().describe("The number of images on all pages"),
});
