/**
 * `GET /v1/models`: the models with their capabilities and the caller's own prices. The optional
 * members are there for requests with the header `anthropic-version`.
 */
import { z } from "zod";
import { pricedRate } from "./rate-fields";
import { families } from "./states";

const ofVideo = (text: string) => `${text}; video models only`;
const ofMessages = (text: string) => `${text}; only with the header anthropic-version`;
const ofImage = (text: string) => `${text}; image models only`;

/** Each family has its own part of them. */
const capabilities = z.looseObject({
  streaming: z.boolean().optional().describe("Whether answers can be streamed; text models only"),
  output_tokens_max: z.int().optional().describe("The most tokens of an answer; text models only"),
  duration_seconds_min: z.number().optional().describe(ofVideo("The shortest length")),
  duration_seconds_max: z.number().optional().describe(ofVideo("The greatest length")),
  durations: z
    .array(z.int())
    .readonly()
    .optional()
    .describe(ofVideo("The only lengths, the default first; absent where it makes all between")),
  resolutions: z
    .array(z.string())
    .readonly()
    .optional()
    .describe(ofVideo("The resolutions it makes")),
  ratios: z.array(z.string()).readonly().optional().describe(ofVideo("The ratios it makes")),
  audio: z.boolean().optional().describe(ofVideo("Whether it makes sound")),
  last_frame: z
    .boolean()
    .optional()
    .describe(ofVideo("Whether it takes a last frame beside the first; absent where it does not")),
  offers: z
    .looseObject({})
    .optional()
    .describe(ofVideo("What it offers besides, by the names of a model's file")),
  reference_images_max: z
    .int()
    .optional()
    .describe("The most reference images of a request; video and image models only"),
  side_pixels_min: z.int().optional().describe(ofImage("The shortest side")),
  side_pixels_max: z.int().optional().describe(ofImage("The longest side")),
  sizes: z
    .record(z.string(), z.string())
    .optional()
    .describe(ofImage("The usual size of each ratio, by ratio")),
  sizes_allowed: z
    .array(z.string())
    .readonly()
    .optional()
    .describe(ofImage("The only sizes; absent where it makes all within its bounds")),
  qualities: z
    .array(z.string())
    .readonly()
    .optional()
    .describe(ofImage("The qualities it can be ordered in; absent where it has none")),
  quality_default: z
    .string()
    .optional()
    .describe(ofImage("The quality of an order that names none")),
  images_max: z
    .int()
    .optional()
    .describe(ofImage("The most images of one call; absent where it makes one")),
  layers_max: z
    .int()
    .optional()
    .describe(
      ofImage("The most layers into which it takes an image apart; absent where it does not"),
    ),
  size_names: z
    .record(z.string(), z.string())
    .optional()
    .describe(ofImage("Names of sizes, such as 2K, with the most pixels that they come in")),
  output_formats: z
    .array(z.string())
    .readonly()
    .optional()
    .describe(ofImage("The file formats it can be asked for; absent where it has one")),
  watermark: z
    .boolean()
    .optional()
    .describe(ofImage("Whether it can make a watermark; absent where it cannot")),
  guidance_scale: z
    .object({
      min: z.number().describe("The least value"),
      max: z.number().describe("The greatest value"),
    })
    .optional()
    .describe(ofImage("The values of guidance_scale; absent where it has none")),
  prompt_modes: z
    .array(z.string())
    .readonly()
    .optional()
    .describe(ofImage("The modes of optimize_prompt_options; absent where it has none")),
  passes: z
    .array(z.string())
    .readonly()
    .optional()
    .describe(ofImage("The fields that reach its upstream as they come; absent for none")),
});

const pricing = z
  .object({
    input: z.number().nullable().describe("For input; null where it is not charged"),
    output: z.number().describe("For output"),
    rates: z
      .array(pricedRate)
      .describe("All rates of the model; a unit without one is not counted"),
  })
  .nullable()
  .describe("Your own price in points per million tokens; null while the model is not sold");

export const modelEntry = z.object({
  id: z.string().describe("The model's identifier"),
  object: z.literal("model").describe("The kind of object"),
  created: z.int().describe("When the model was first offered, in epoch seconds"),
  owned_by: z.literal("relay").describe("Who offers it"),
  aliases: z.array(z.string()).describe("Other names that requests may use"),
  family: z.enum(families).describe("What the model makes"),
  capabilities: capabilities.describe("What the model can do"),
  pricing,
  choice: z
    .object({
      models: z.array(z.string()).describe("The models that it may choose, by its rules"),
      input_min: z
        .number()
        .nullable()
        .describe("The least for input, of the cheapest of them; `pricing` has the most"),
      output_min: z
        .number()
        .nullable()
        .describe("The least for output, of the cheapest of them; `pricing` has the most"),
      usual_min: z
        .number()
        .optional()
        .describe("What a usual request costs at the cheapest of them, in points"),
      usual_max: z.number().optional().describe("The same at the dearest of them"),
    })
    .optional()
    .describe("Only of a model that stands for others: `x-relay-model` says which one answered"),
  type: z.literal("model").optional().describe(ofMessages("The kind of object")),
  display_name: z.string().optional().describe(ofMessages("The model's identifier")),
  created_at: z
    .string()
    .optional()
    .describe(ofMessages("When the model was first offered, as a time in UTC")),
});
export type ModelEntry = z.infer<typeof modelEntry>;

export const modelList = z.object({
  object: z.literal("list").describe("The kind of object"),
  data: z.array(modelEntry).describe("The models that the key may use"),
  has_more: z.boolean().optional().describe(ofMessages("Always false")),
  first_id: z.string().nullable().optional().describe(ofMessages("The first model's identifier")),
  last_id: z.string().nullable().optional().describe(ofMessages("The last model's identifier")),
});
export type ModelList = z.infer<typeof modelList>;
