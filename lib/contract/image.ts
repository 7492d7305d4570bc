/** `POST /v1/images/generations`. The sizes of a model are checked against the catalogue. */
import { z } from "zod";
import { openObject } from "./bounds";
import {
  IMAGES_MAX,
  imageAddress,
  mediaFields,
  NAME_OF_SIZE_CHARACTERS_MAX,
  promptText,
} from "./media-fields";
import { neutral, unsupportedField } from "./neutral";

export const imageRequest = openObject({
  model: mediaFields.model,
  prompt: promptText.min(1),
  size: z
    .string()
    .max(NAME_OF_SIZE_CHARACTERS_MAX)
    .nullish()
    .describe(
      "<width>x<height> in pixels; auto uses the size of the ratio, or the model's default",
    ),
  ratio: mediaFields.ratio,
  image: z
    .union([imageAddress, z.array(imageAddress).max(IMAGES_MAX)], {
      error: "it must be the URL of an image, or an array of such URLs",
    })
    .nullish(),
  n: neutral([1], "n_not_supported", "only one image per call is supported; omit it or send 1"),
  response_format: z.enum(["url", "b64_json"]).nullish(),
  seed: mediaFields.seed,
  // Each of these would change the number of images, their price, or the result.
  watermark: neutral([false], "unsupported_value", "only false is supported"),
  sequential_image_generation: neutral(
    ["disabled"],
    "unsupported_value",
    'only "disabled" is supported',
  ),
  sequential_image_generation_options: neutral(
    [{ max_images: 1 }],
    "unsupported_value",
    "it is not supported; omit it",
  ),
  stream: neutral([false], "unsupported_value", "images are not streamed; omit it or send false"),
  guidance_scale: unsupportedField,
  optimize_prompt_options: neutral(
    [{ mode: "standard" }],
    "unsupported_value",
    "it is not supported; omit it",
  ),
  output_format: neutral(["png"], "unsupported_value", 'only "png" is supported'),
  output_compression: neutral([100], "unsupported_value", "only 100 is supported"),
  partial_images: neutral([0], "unsupported_value", "only 0 is supported"),
  tools: neutral([[]], "unsupported_value", "no tools are supported"),
  mask: unsupportedField,
  quality: neutral(
    ["auto", "standard", "hd", "low", "medium", "high"],
    "unsupported_value",
    "it must be one of auto, standard, hd, low, medium, high; only the pixels are billed",
  ),
  style: unsupportedField,
  background: neutral(
    ["auto", "opaque"],
    "unsupported_value",
    'only "auto" and "opaque" are supported',
  ),
  moderation: neutral(["auto"], "unsupported_value", 'only "auto" is supported'),
});
export type ImageRequest = z.infer<typeof imageRequest>;

export const imageResponse = z.object({
  created: z.int(),
  model: z.string(),
  data: z
    .array(
      z.object({ url: z.string().optional(), b64_json: z.string().optional(), size: z.string() }),
    )
    .length(1),
  usage: z.object({
    generated_images: z.literal(1),
    output_tokens: z.int(),
    total_tokens: z.int(),
  }),
});
