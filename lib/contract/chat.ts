/**
 * `POST /v1/chat/completions`: strict about what affects the price, open to everything else.
 * `chat-fields.ts` lists what is passed to an upstream; the rest is left out and named in
 * `x-relay-ignored-fields`.
 */
import { z } from "zod";
import { openObject } from "./bounds";
import { CHAT_BODY_MEBIBYTES_MAX, REQUESTED_MODEL_LENGTH_MAX } from "./limits";
import { neutral, unsupportedField } from "./neutral";

export const MESSAGES_MAX = 4096;
export const CONTENT_PARTS_MAX = 256;
/** As long as the whole body may be. */
const TEXT_CHARACTERS_MAX = CHAT_BODY_MEBIBYTES_MAX * 1024 * 1024;
/** Above any model's maximum. A cap above the model's is lowered, not refused. */
export const OUTPUT_TOKENS_REQUEST_MAX = 2 ** 31 - 1;

export const text = z.string().max(TEXT_CHARACTERS_MAX);

const textPart = openObject({ type: z.literal("text"), text });
const imagePart = openObject({
  type: z.literal("image_url"),
  image_url: openObject({ url: text.min(1), detail: z.string().max(20).nullish() }),
});
const contentPart = z.discriminatedUnion("type", [textPart, imagePart], {
  error: 'it must be "text" or "image_url"',
});
const content = z.union([text, z.array(contentPart).min(1).max(CONTENT_PARTS_MAX)], {
  error: "it must be a string or an array of parts",
});

const message = openObject({
  role: z.enum(["system", "developer", "user", "assistant", "tool", "function"]),
  content: content.nullish(),
})
  .superRefine((value, context) => {
    if (value.content !== undefined && value.content !== null) return;
    if (
      value.role === "assistant" &&
      (value.tool_calls !== undefined ||
        value.function_call !== undefined ||
        value.content === null)
    )
      return;
    context.addIssue({
      code: "custom",
      path: ["content"],
      message: "send a string or an array of parts",
      params: { code: missing(value.content) },
    });
  })
  .meta({
    anyOf: [
      {
        type: "object",
        required: ["content"],
        properties: { content: { type: ["string", "array"] } },
      },
      {
        type: "object",
        properties: { role: { const: "assistant" } },
        anyOf: [
          { required: ["content"] },
          { required: ["tool_calls"] },
          { required: ["function_call"] },
        ],
      },
    ],
  });

const missing = (value: unknown) =>
  value === undefined ? "missing_required_parameter" : "invalid_value";

const tokenCap = z.int().min(1).max(OUTPUT_TOKENS_REQUEST_MAX).nullish();

export const chatRequest = openObject({
  model: z.string().min(1).max(REQUESTED_MODEL_LENGTH_MAX),
  messages: z.array(message).min(1).max(MESSAGES_MAX),
  stream: z.boolean().nullish(),
  stream_options: openObject({ include_usage: z.boolean().nullish() }).nullish(),
  max_tokens: tokenCap,
  max_completion_tokens: tokenCap,
  n: neutral([1], "n_not_supported", "only one result per call is supported; omit it or send 1"),
  // Each of these multiplies the output, or changes its price or its model upstream.
  best_of: neutral([1], "unsupported_value", "only 1 is supported"),
  service_tier: neutral(
    ["auto", "default"],
    "unsupported_value",
    'only "auto" and "default" are supported',
  ),
  modalities: neutral([["text"]], "unsupported_value", 'only ["text"] is supported'),
  audio: unsupportedField,
  models: unsupportedField,
  route: unsupportedField,
  provider: unsupportedField,
  fallbacks: unsupportedField,
  plugins: unsupportedField,
  web_search_options: unsupportedField,
});
export type ChatRequest = z.infer<typeof chatRequest>;

const usage = z.looseObject({
  prompt_tokens: z.int(),
  completion_tokens: z.int(),
  total_tokens: z.int().optional(),
});

export const chatResponse = z.looseObject({
  id: z.string(),
  object: z.string(),
  created: z.int(),
  model: z.string(),
  choices: z.array(
    z.looseObject({
      index: z.int(),
      message: z.looseObject({ role: z.string(), content: z.string().nullish() }),
      finish_reason: z.string().nullish(),
    }),
  ),
  /** With the cost in points. */
  usage: usage.extend({ points: z.number().optional() }).optional(),
});

/** One `data:` line of a streamed answer; the stream ends with `data: [DONE]`. */
export const chatChunk = z.looseObject({
  id: z.string(),
  object: z.string(),
  created: z.int(),
  model: z.string(),
  choices: z.array(
    z.looseObject({
      index: z.int(),
      delta: z.looseObject({ content: z.string().nullish() }),
      finish_reason: z.string().nullish(),
    }),
  ),
  /** Has numbers only on the last chunk, and only with `stream_options.include_usage`. */
  usage: usage.extend({ points: z.number() }).nullish(),
});
