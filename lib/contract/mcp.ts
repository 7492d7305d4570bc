/** The Model Context Protocol at `/mcp`: its row, and the inputs of its tools. */
import { z } from "zod";
import { openObject } from "./bounds";
import type { EndpointRow } from "./endpoint";
import { imageRequest } from "./image";
import { ID_LENGTH_MAX, MEDIA_BODY_MEBIBYTES_MAX } from "./limits";
import { families } from "./states";
import { videoRequest } from "./video";

const MEBIBYTE = 1024 * 1024;
/** Clients of the protocol's second revision may send several messages at once. */
export const MCP_BATCH_MAX = 8;
/** Below the 60 s after which the protocol's own client gives up. */
const WAIT_SECONDS_MAX = 50;

const message = openObject({});

/** The protocol describes itself to its clients, so the API document leaves this row out. */
export const mcpEndpoint = {
  name: "mcp",
  method: "POST",
  path: "/mcp",
  group: "service",
  summary: "Call the tools of the Model Context Protocol",
  admits: ["apiKey"],
  billing: "free",
  // Each call of a tool is counted by its own endpoint.
  rate: "poll",
  // The pictures inside the arguments are bounded as in the requests that the tools make.
  bodyBytesMax: MEDIA_BODY_MEBIBYTES_MAX * MEBIBYTE,
  textBytesMax: MEBIBYTE,
  request: z.union([message, z.array(message).min(1).max(MCP_BATCH_MAX)], {
    error: `it must be a message, or an array of at most ${MCP_BATCH_MAX} messages`,
  }),
  response: z.unknown(),
} as const satisfies EndpointRow;

const once = {
  idempotency_key: z
    .string()
    .regex(/^[\x20-\x7e]{1,255}$/, "it must have 1 to 255 printable ASCII characters")
    .max(255)
    .optional()
    .describe("A name for this order: with the same one, a repeated call is not charged again"),
};

/** An agent leaves out what it can. */
const modelOf = (family: string, model: z.ZodString) =>
  model.optional().describe(`${family}; may be left out where list_models has only one of them`);

const image = imageRequest.shape;
const imageFields = {
  model: modelOf("An image model", image.model),
  prompt: image.prompt,
  size: image.size,
  ratio: image.ratio,
  quality: image.quality,
  image: image.image,
  seed: image.seed,
};
const video = videoRequest.shape;
const videoFields = {
  model: modelOf("A video model", video.model),
  prompt: video.prompt,
  resolution: video.resolution,
  ratio: video.ratio,
  duration: video.duration,
  first_frame_url: video.first_frame_url,
  last_frame_url: video.last_frame_url,
  reference_images: video.reference_images,
  generate_audio: video.generate_audio,
  seed: video.seed,
};

export const toolInputs = {
  generate_image: z.strictObject({ ...imageFields, async: image.async, ...once }),
  generate_video: z.strictObject({ ...videoFields, ...once }),
  get_video: z.strictObject({
    id: z.string().min(1).max(ID_LENGTH_MAX).describe("The id of the task"),
    wait_seconds: z
      .int()
      .min(0)
      .max(WAIT_SECONDS_MAX)
      .optional()
      .meta({ default: 0, description: "How long to wait for the video, in seconds" }),
  }),
  get_image: z.strictObject({
    id: z.string().min(1).max(ID_LENGTH_MAX).describe("The id of the image"),
    wait_seconds: z
      .int()
      .min(0)
      .max(WAIT_SECONDS_MAX)
      .optional()
      .meta({ default: 0, description: "How long to wait for the image, in seconds" }),
  }),
  list_models: z.strictObject({
    family: z.enum(families).optional().describe("Only the models of this family"),
  }),
  quote: z.strictObject({
    ...videoFields,
    ...imageFields,
    tool: z.enum(["generate_image", "generate_video"]).describe("The tool that would be called"),
    model: modelOf("A model of that tool", image.model),
    prompt: image.prompt.describe("What the result shows"),
  }),
  get_balance: z.strictObject({}),
};
export type ToolName = keyof typeof toolInputs;
