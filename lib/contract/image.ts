/** `POST /v1/images/generations`. The sizes of a model are checked against the catalogue. */
import { z } from "zod";
import { openObject } from "./bounds";
import {
  callbackAddress,
  IMAGES_MAX,
  imageAddress,
  mediaFields,
  NAME_OF_SIZE_CHARACTERS_MAX,
  promptText,
} from "./media-fields";
import { neutral, unsupportedField } from "./neutral";
import { SELECTOR_LENGTH_MAX } from "./units";

/** What client libraries send to models that have no qualities: it has no effect there. */
export const qualitiesWithoutEffect = ["auto", "standard", "hd", "low", "medium", "high"];

export const imageRequest = openObject({
  model: mediaFields.model.describe("An image model, by its identifier or alias"),
  prompt: promptText.min(1).describe("What the image shows"),
  size: z
    .string()
    .max(NAME_OF_SIZE_CHARACTERS_MAX)
    .nullish()
    .describe(
      "<width>x<height> in pixels; auto uses the size of the ratio, or the model's default",
    ),
  ratio: mediaFields.ratio.describe(
    "The ratio of the image, such as 16:9, in the model's usual size for it",
  ),
  image: z
    .union([imageAddress, z.array(imageAddress).max(IMAGES_MAX)], {
      error: "it must be the URL of an image, or an array of such URLs",
    })
    .nullish()
    .describe("One or more images that the model works from; each model has its own maximum"),
  n: neutral(
    [1],
    "n_not_supported",
    "only one image per call is supported; omit it or send 1",
    "The number of images: one for each call, so the field has no effect",
  ),
  response_format: z.enum(["url", "b64_json"]).nullish().meta({
    default: "url",
    description: "Whether the answer has a link to the image, or the image itself in base64",
  }),
  seed: mediaFields.seed,
  async: z.boolean().nullish().meta({
    default: false,
    description:
      "Whether to answer at once with 202 and the image's id, by which it is got later; the header Prefer: respond-async does the same",
  }),
  callback_url: callbackAddress
    .nullish()
    .describe("With async: the address that receives the image whenever its status changes"),
  // Each of these would change the number of images, their price, or the result.
  watermark: neutral(
    [false],
    "unsupported_value",
    "only false is supported",
    "Only false, which has no effect: images have no watermark",
  ),
  sequential_image_generation: neutral(
    ["disabled"],
    "unsupported_value",
    'only "disabled" is supported',
    "Only disabled, which has no effect: a call makes one image",
  ),
  sequential_image_generation_options: neutral(
    [{ max_images: 1 }],
    "unsupported_value",
    "it is not supported; omit it",
    "Only one image, which has no effect: a call makes one image",
  ),
  stream: neutral(
    [false],
    "unsupported_value",
    "images are not streamed; omit it or send false",
    "Only false, which has no effect: images are not streamed",
  ),
  guidance_scale: unsupportedField,
  optimize_prompt_options: neutral(
    [{ mode: "standard" }],
    "unsupported_value",
    "it is not supported; omit it",
    "Only the standard mode, which has no effect",
  ),
  output_format: neutral(
    ["png"],
    "unsupported_value",
    'only "png" is supported',
    "Only png; it has no effect",
  ),
  output_compression: neutral(
    [100],
    "unsupported_value",
    "only 100 is supported",
    "Only 100; it has no effect",
  ),
  partial_images: neutral(
    [0],
    "unsupported_value",
    "only 0 is supported",
    "Only 0; it has no effect",
  ),
  tools: neutral(
    [[]],
    "unsupported_value",
    "no tools are supported",
    "Only an empty list; it has no effect",
  ),
  mask: unsupportedField,
  quality: z
    .string()
    .max(SELECTOR_LENGTH_MAX)
    .nullish()
    .describe(
      "One of the model's qualities; auto uses its default. It has no effect where the model has none",
    ),
  style: unsupportedField,
  background: neutral(
    ["auto", "opaque"],
    "unsupported_value",
    'only "auto" and "opaque" are supported',
    "Only these values, which have no effect: images are opaque",
  ),
  moderation: neutral(
    ["auto"],
    "unsupported_value",
    'only "auto" is supported',
    "Only auto; it has no effect",
  ),
});
export type ImageRequest = z.infer<typeof imageRequest>;

/** `POST /v1/images/edits`: the same order, with at least one image. */
export const imageEditRequest = openObject({
  ...imageRequest.shape,
  image: z
    .union([imageAddress, z.array(imageAddress).min(1).max(IMAGES_MAX)], {
      error: "it must be a file, the URL of an image, or an array of such URLs",
    })
    .describe(
      "The images that the model works from, 1 to 4; in a form also files: PNG, JPEG or WebP",
    ),
});

export const imageResponse = z.object({
  created: z.int().describe("When the image was made, in epoch seconds"),
  model: z.string().describe("The model, as the request names it"),
  data: z
    .array(
      z.object({
        url: z
          .string()
          .optional()
          .describe("A signed link to the image, valid for 24 hours; absent with b64_json"),
        b64_json: z
          .string()
          .optional()
          .describe("The image in base64; only with the response_format b64_json"),
        size: z.string().describe("<width>x<height> of the image in pixels"),
      }),
    )
    .length(1)
    .describe("The image, as the only item"),
  usage: z
    .object({
      generated_images: z.literal(1).describe("The number of images"),
      output_tokens: z.int().describe("The tokens that were charged: the pixels divided by 256"),
      total_tokens: z.int().describe("The same as output_tokens"),
    })
    .describe("What was charged"),
});
