/**
 * The events of a stream of images, as Ark names them; `completed` is the Images API's too, which has
 * another name for it where images are edited.
 */
import { z } from "zod";
import { imageUsage, itemError } from "./image";
import { layerFields } from "./image-layer";

const common = {
  model: z.string().describe("The model, as the request names it"),
  created: z.int().describe("When the image was made, in epoch seconds"),
};
const image = {
  url: z.string().optional().describe("A signed link to the image, valid for 24 hours"),
  b64_json: z
    .string()
    .optional()
    .describe("The image in base64; only with the response_format b64_json"),
  size: z.string().optional().describe("<width>x<height> of the image in pixels"),
};
const index = z.int().describe("The place of the image among those of the answer, from 0");

/** What the names of the events begin with. */
export type EventKind = "image_generation" | "image_edit";
const named = <Name extends string>(name: Name) =>
  z.literal([`image_generation.${name}`, `image_edit.${name}`] as const);

export const imageEvent = z.discriminatedUnion("type", [
  z.object({
    type: named("partial_succeeded"),
    ...common,
    image_index: index,
    ...image,
    ...layerFields,
  }),
  z.object({
    type: named("partial_failed"),
    ...common,
    image_index: index,
    error: itemError,
  }),
  z.object({
    type: named("partial_image"),
    ...common,
    created_at: z.int().describe("The same as created"),
    partial_image_index: z.int().describe("The place of the picture among those of one image"),
    b64_json: z.string().describe("The picture, which is not finished, in base64"),
  }),
  z.object({
    type: named("completed"),
    ...common,
    created_at: z.int().describe("The same as created"),
    ...image,
    usage: imageUsage.describe("What was charged"),
  }),
]);
export type ImageEvent = z.infer<typeof imageEvent>;
