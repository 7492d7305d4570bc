/** `POST /v1/images/generations`. The sizes of a model are checked against the catalogue. */
import { z } from "zod";
import { openObject } from "./bounds";
import { failureReason } from "./failure-body";
import { layerFields } from "./image-layer";
import {
  FRAME_MS_MAX,
  FRAMES_DEFAULT,
  FRAMES_MAX,
  FRAMES_MIN,
  IMAGES_A_CALL_MAX,
  LAYERS_MAX,
  PARTIAL_IMAGES_MAX,
  TOOL_KINDS_MAX,
} from "./limits";
import {
  callbackAddress,
  callbackStates,
  IMAGES_MAX,
  imageAddress,
  imageFormats,
  mediaFields,
  NAME_OF_SIZE_CHARACTERS_MAX,
  promptModes,
  promptText,
} from "./media-fields";
import { neutral, unsupportedField } from "./neutral";
import { SELECTOR_LENGTH_MAX } from "./units";

const USER_LENGTH_MAX = 256;
const word = <const Words extends readonly [string, ...string[]]>(...words: Words) =>
  z.enum(words).nullish();

/** What client libraries send to models that have no qualities: it has no effect there. */
export const qualitiesWithoutEffect = [
  "auto",
  "standard",
  "hd",
  "low",
  "medium",
  "high",
  "xhigh",
  "max",
];

export const imageRequest = openObject({
  model: mediaFields.model.describe("An image model, by its identifier or alias"),
  prompt: promptText.min(1).describe("What the image shows"),
  size: z
    .string()
    .max(NAME_OF_SIZE_CHARACTERS_MAX)
    .nullish()
    .describe(
      "<width>x<height> in pixels, or a name such as 2K where the model has it; auto uses the size of the ratio, or the model's default",
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
    Array.from({ length: IMAGES_A_CALL_MAX }, (_, at) => at + 1),
    "n_not_supported",
    `it must be a whole number from 1 to ${IMAGES_A_CALL_MAX}, and most models make one image per call; omit it or send 1`,
    "The number of images, where the model makes several; elsewhere only 1, which has no effect",
  ),
  response_format: z.enum(["url", "b64_json"]).nullish().meta({
    default: "url",
    description: "Whether the answer has a link to the image, or the image itself in base64",
  }),
  seed: mediaFields.seed,
  async: z.boolean().nullish().meta({
    default: false,
    description:
      "Whether to answer at once with 202 and the image's id, by which it is got later; where this is absent, the header Prefer: respond-async does the same",
  }),
  callback_url: callbackAddress
    .nullish()
    .describe("With async: the address that receives the image whenever its status changes"),
  callback_states: callbackStates,
  // Which of these a model takes, its specification says.
  watermark: z.boolean().nullish().meta({
    default: false,
    description: "Whether the upstream's watermark is on the image, where the model makes one",
  }),
  sequential_image_generation: z.enum(["auto", "disabled"]).nullish().meta({
    default: "disabled",
    description: "With auto the model decides how many images it makes, up to max_images",
  }),
  sequential_image_generation_options: openObject({
    max_images: z
      .int()
      .min(1)
      .max(IMAGES_A_CALL_MAX)
      .nullish()
      .describe("The most images; absent: the model's own maximum"),
  })
    .nullish()
    .describe("What belongs to sequential_image_generation"),
  stream: z.boolean().nullish().meta({
    default: false,
    description: "Whether the answer is a stream of events, one for each image",
  }),
  guidance_scale: z
    .number()
    .nullish()
    .describe("How closely the model follows the prompt, where the model lets that be chosen"),
  optimize_prompt_options: openObject({
    mode: z
      .enum(promptModes)
      .nullish()
      .meta({ default: "standard", description: "The way in which it is improved" }),
  })
    .nullish()
    .describe("How the prompt is improved, where the model lets that be chosen"),
  output_format: z
    .enum(imageFormats)
    .nullish()
    .describe("The file format, where the model has several; else png, which has no effect"),
  output_compression: z
    .int()
    .min(0)
    .max(100)
    .nullish()
    .describe("How much the file is compressed, where the model takes it; else only 100"),
  partial_images: z
    .int()
    .min(0)
    .max(PARTIAL_IMAGES_MAX)
    .nullish()
    .describe(
      "How often a stream shows each image before it is finished, where the model has a rate for that; each is billed",
    ),
  tools: z
    .array(
      openObject({
        type: z.string().min(1).max(SELECTOR_LENGTH_MAX).describe("The kind of tool"),
      }),
    )
    .max(TOOL_KINDS_MAX)
    .nullish()
    .describe("Tools that run at the upstream, where the model offers them; each call is billed"),
  mask: imageAddress
    .nullish()
    .describe("Where the image is edited: its transparent parts; where the model takes one"),
  quality: z
    .string()
    .max(SELECTOR_LENGTH_MAX)
    .nullish()
    .describe(
      "One of the model's qualities; auto uses its default. It has no effect where the model has none",
    ),
  style: word("vivid", "natural").describe("The style of the image, where the model takes it"),
  background: word("auto", "opaque", "transparent").describe(
    "The picture's own background, where the model takes it; elsewhere images are opaque",
  ),
  moderation: word("auto", "low").describe(
    "How strictly the upstream looks at the content, where the model takes it; else only auto",
  ),
  input_fidelity: word("low", "high").describe(
    "How closely the given images are kept, where the model takes it; else only low",
  ),
  optimize_prompt: z
    .boolean()
    .nullish()
    .describe("Whether the prompt is improved, where the model lets that be chosen"),
  layer_decomposition: z.boolean().nullish().meta({
    default: false,
    description:
      "Whether the image is taken apart into layers, where the model does that; each layer is an image of the answer, and billed",
  }),
  complexity: word("low", "medium", "high").describe(
    "How much the model plans the image, where it lets that be chosen",
  ),
  frame_count: z.int().min(FRAMES_MIN).max(FRAMES_MAX).nullish().meta({
    default: FRAMES_DEFAULT,
    description:
      "The frames of a GIF, where output_format is gif; each is billed as an image of its size",
  }),
  frame_duration_ms: z
    .int()
    .min(1)
    .max(FRAME_MS_MAX)
    .nullish()
    .describe("How long each frame of a GIF is shown, in milliseconds"),
  // What a model writes for a drawing has no bound before it is made, and a drawing may have scripts.
  svg: unsupportedField,
  markup: imageAddress
    .nullish()
    .describe(
      "A drawing over the first image that says how it is edited; where the model takes one",
    ),
  safety_identifier: z
    .string()
    .max(USER_LENGTH_MAX)
    .nullish()
    .describe("Your identifier of the end user, for an upstream that takes it"),
  user: z
    .string()
    .max(USER_LENGTH_MAX)
    .nullish()
    .describe("Your identifier of the end user, for an upstream that takes it"),
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
      "The images that the model works from, as many as it takes; in a form also files: PNG, JPEG or WebP",
    ),
});

/** Why one of several images is missing; the others are charged, and this one is not. */
export const itemError = failureReason.describe(
  "Why this image is missing, where others were made; it is not charged",
);

export const imageUsage = z.object({
  generated_images: z.int().describe("The number of images"),
  output_tokens: z.int().describe("The tokens that were charged: the pixels divided by 256"),
  total_tokens: z.int().describe("The same as output_tokens"),
});

/** What is said of each image of an answer besides its file. */
export const imageFacts = {
  size: z
    .string()
    .optional()
    .describe("<width>x<height> of the image in pixels; absent for one that failed"),
  ...layerFields,
  error: itemError.optional(),
};

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
        ...imageFacts,
      }),
    )
    .min(1)
    .max(LAYERS_MAX)
    .describe("The images: one, unless several were ordered"),
  usage: imageUsage.describe("What was charged"),
});
