/**
 * `POST /v1/chat/completions`: strict about what affects the price, open to everything else.
 * `chat-fields.ts` lists what is passed to an upstream; the rest is left out and named in
 * `x-relay-ignored-fields`.
 */
import { z } from "zod";
import { base64Length } from "./base64";
import { imageText, openObject } from "./bounds";
import {
  ANSWERS_MAX,
  CHAT_TEXT_MEBIBYTES_MAX,
  FALLBACK_MODELS_MAX,
  REQUESTED_MODEL_LENGTH_MAX,
} from "./limits";
import { neutral, unsupportedField } from "./neutral";

export const MESSAGES_MAX = 4096;
export const CONTENT_PARTS_MAX = 256;
/** As long as the whole body may be. */
const TEXT_CHARACTERS_MAX = CHAT_TEXT_MEBIBYTES_MAX * 1024 * 1024;
/** Above any model's maximum. A cap above the model's is lowered, not refused. */
export const OUTPUT_TOKENS_REQUEST_MAX = 2 ** 31 - 1;

export const text = z.string().max(TEXT_CHARACTERS_MAX);
const partType = "The kind of part";

const textPart = openObject({
  type: z.literal("text").describe(partType),
  text: text.describe("The text of the part"),
});
const imagePart = openObject({
  type: z.literal("image_url").describe(partType),
  image_url: openObject({
    url: imageText.describe("An https: address, or the image itself as data:image/…;base64,"),
    detail: z
      .string()
      .max(20)
      .nullish()
      .describe("How closely the model looks at the image, such as low or high"),
  }).describe("The image"),
});
/** In every API of text. */
export const documentForms =
  "A PDF as data:application/pdf;base64, or at an https: address, where the model reads documents; a text as data:text/plain;base64, is read by every model";
const SOUND_WORD_LENGTH_MAX = 40;
/** In every API of text. */
export const soundPart = openObject({
  type: z.literal("input_audio").describe(partType),
  input_audio: openObject({
    data: z
      .string()
      .min(1)
      .max(TEXT_CHARACTERS_MAX)
      // The upstream would fetch an address, and its size is not known here.
      .refine((data) => base64Length(data) > 0, "it must be in base64")
      .meta({
        title: "text",
        pattern: "^[A-Za-z0-9+/]+={0,2}$",
        description: "The file, in base64",
      }),
    format: z
      .string()
      .max(SOUND_WORD_LENGTH_MAX)
      .nullish()
      .describe("The format of the file, such as wav or mp3"),
  }).describe("A sound, where the model hears sounds: its tokens have a rate of their own"),
});
const FILE_NAME_LENGTH_MAX = 1024;
export const fileName = z
  .string()
  .max(FILE_NAME_LENGTH_MAX)
  .nullish()
  .describe("The name of the document");
const filePart = openObject({
  type: z.literal("file").describe(partType),
  file: openObject({
    file_id: unsupportedField,
    file_data: imageText.describe(documentForms),
    filename: fileName,
  }).describe("A document"),
});
const contentPart = z.discriminatedUnion("type", [textPart, imagePart, soundPart, filePart], {
  error: 'it must be "text", "image_url", "input_audio" or "file"',
});
const content = z.union([text, z.array(contentPart).max(CONTENT_PARTS_MAX)], {
  error: "it must be a string or an array of parts",
});

/** Clients send what a model that was stopped said, and what a tool gave: it may be nothing. */
const mayBeEmpty = ["assistant", "tool", "function"];

const message = openObject({
  role: z
    .enum(["system", "developer", "user", "assistant", "tool", "function"])
    .describe("Who speaks: the instructions, the user, the model, or a tool's result"),
  content: content
    .nullish()
    .describe(
      "What is said: text, or parts of text, images, sounds and documents; the assistant and tools may say nothing",
    ),
})
  .superRefine((value, context) => {
    const isEmpty = Array.isArray(value.content) && value.content.length === 0;
    if (value.content !== undefined && value.content !== null && !isEmpty) return;
    if (mayBeEmpty.some((role) => role === value.role)) return;
    context.addIssue({
      code: "custom",
      path: ["content"],
      message: isEmpty ? "it must have at least 1 item" : "send a string or an array of parts",
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
        properties: { role: { enum: mayBeEmpty } },
      },
    ],
  });

const missing = (value: unknown) =>
  value === undefined ? "missing_required_parameter" : "invalid_value";

const tokenCap = z.int().min(1).max(OUTPUT_TOKENS_REQUEST_MAX).nullish();

const TIER_LENGTH_MAX = 40;
const AUDIO_WORD_LENGTH_MAX = 40;

/** `service_tier` of chat and responses. */
export const serviceTier = z
  .string()
  .max(TIER_LENGTH_MAX)
  .nullish()
  .describe(
    "auto and default have no effect; another, such as flex or priority, where the model has rates for it: it is billed as it is served",
  );

const modelName = z.string().min(1).max(REQUESTED_MODEL_LENGTH_MAX);
export const textModel = modelName.describe("A text model, by its identifier or alias");
/** `models` of every API of text. */
export const fallbackModels = z
  .array(modelName)
  .max(FALLBACK_MODELS_MAX)
  .nullish()
  .describe(
    "Text models that are tried in this order when `model` cannot be had; `x-relay-model` says which one answered",
  );

export const chatRequest = openObject({
  model: textModel,
  messages: z
    .array(message)
    .min(1)
    .max(MESSAGES_MAX)
    .describe("The conversation so far, the oldest message first"),
  stream: z.boolean().nullish().meta({
    default: false,
    description: "Whether the answer comes in events while it is written",
  }),
  stream_options: openObject({
    include_usage: z.boolean().nullish().meta({
      default: false,
      description: "Whether the last event of the stream has the tokens and the points",
    }),
  })
    .nullish()
    .describe("Options of a streamed answer"),
  max_tokens: tokenCap.describe(
    "The most tokens of the answer; by default, and at most, as many as the model writes and the points pay for",
  ),
  max_completion_tokens: tokenCap.describe(
    "The same as max_tokens; of the two the smaller one counts",
  ),
  n: neutral(
    Array.from({ length: ANSWERS_MAX }, (_, at) => at + 1),
    "n_not_supported",
    `it must be a whole number from 1 to ${ANSWERS_MAX}, and most models give one answer per call; omit it or send 1`,
    "The number of answers, where the model gives several; elsewhere only 1, which has no effect",
  ),
  // Each of these multiplies the output, or changes its price or its model upstream.
  best_of: neutral([1], "unsupported_value", "only 1 is supported", "Only 1; it has no effect"),
  service_tier: serviceTier,
  modalities: neutral(
    [["text"], ["text", "audio"], ["audio", "text"]],
    "unsupported_value",
    'only ["text"] and, where the model speaks, ["text", "audio"] are supported',
    "Whether the answer is also spoken, where the model has a rate for spoken tokens; elsewhere only text, which has no effect",
  ),
  audio: openObject({
    format: z.string().max(AUDIO_WORD_LENGTH_MAX).nullish().describe("The format of the sound"),
  })
    .nullish()
    .describe("How the answer is spoken, in the upstream's words, where the model speaks"),
  models: fallbackModels,
  route: unsupportedField,
  provider: unsupportedField,
  fallbacks: unsupportedField,
  plugins: unsupportedField,
  web_search_options: openObject({})
    .nullish()
    .describe(
      "How the upstream searches the web, where the model offers that; each search is billed",
    ),
  prediction: openObject({})
    .nullish()
    .describe(
      "What most of the answer will be, where the model takes it: what is not used is billed as output",
    ),
});
export type ChatRequest = z.infer<typeof chatRequest>;

const usage = z.looseObject({
  prompt_tokens: z.int().describe("The tokens of the messages"),
  completion_tokens: z.int().describe("The tokens of the answer"),
  total_tokens: z.int().optional().describe("The sum of both"),
});
const pointsOfUsage = z.number().describe("What was charged, in points");

const answerHead = {
  id: z.string().describe("The id of the answer"),
  created: z.int().describe("When the answer began, in epoch seconds"),
  model: z.string().describe("The model, as the request names it"),
};
const index = z.int().describe("The position of the answer: 0, unless several were asked for");
const finishReason = z
  .string()
  .nullish()
  .describe("Why the answer ended, such as stop, length or tool_calls");

export const chatResponse = z.looseObject({
  ...answerHead,
  object: z.string().describe("The kind of object: chat.completion"),
  choices: z
    .array(
      z.looseObject({
        index,
        message: z
          .looseObject({
            role: z.string().describe("Who speaks: assistant"),
            content: z.string().nullish().describe("The text of the answer"),
          })
          .describe("The answer as a message, with its tool calls where there are some"),
        finish_reason: finishReason,
      }),
    )
    .describe("The answer, or as many as were asked for"),
  usage: usage
    .extend({ points: pointsOfUsage.optional() })
    .optional()
    .describe("The tokens, and what they cost"),
});

/** One `data:` line of a streamed answer; the stream ends with `data: [DONE]`. */
export const chatChunk = z.looseObject({
  ...answerHead,
  object: z.string().describe("The kind of object: chat.completion.chunk"),
  choices: z
    .array(
      z.looseObject({
        index,
        delta: z
          .looseObject({ content: z.string().nullish().describe("The next piece of the text") })
          .describe("What is new since the last event"),
        finish_reason: finishReason,
      }),
    )
    .describe("The next piece of the answer; empty in the event with the usage"),
  usage: usage
    .extend({ points: pointsOfUsage })
    .nullish()
    .describe(
      "The tokens and points: on the last event, and only with stream_options.include_usage",
    ),
});
