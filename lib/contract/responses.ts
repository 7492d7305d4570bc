/**
 * `POST /v1/responses`: the Responses dialect of the text family. Strict about what it reads, open
 * to everything else, which is left out and named in `x-relay-ignored-fields`.
 */
import { z } from "zod";
import { openObject, recordOf } from "./bounds";
import {
  fallbackModels,
  MESSAGES_MAX,
  OUTPUT_TOKENS_REQUEST_MAX,
  serviceTier,
  text,
  textModel,
} from "./chat";
import {
  RESPONSE_ID_LENGTH_MAX,
  TAG_NAME_LENGTH_MAX,
  TAG_VALUE_LENGTH_MAX,
  TAGS_MAX,
  TOOL_CALL_ID_LENGTH_MAX,
} from "./limits";
import { contextFields } from "./response-context";
import { outputFields } from "./response-events";
import { inputItem } from "./response-items";
import type { messagePart } from "./response-parts";
import { type ownTool, type simpleTool, toolChoice, toolName, tools, word } from "./response-tools";

const LABEL_LENGTH_MAX = 1000;
const INCLUDES_MAX = 32;
const TOP_LOGPROBS_MAX = 20;

const label = z.string().max(LABEL_LENGTH_MAX).nullish();

/** Items as they are stored: of a request, or of an answer. */
export const storedItems = z.array(inputItem).max(MESSAGES_MAX);
/** An answer as it is stored, without its items. */
export const storedResponse = openObject({ id: z.string().max(RESPONSE_ID_LENGTH_MAX) });

const formatType = "The kind of format";
const textFormat = z.discriminatedUnion(
  "type",
  [
    openObject({ type: z.literal("text").describe(formatType) }),
    openObject({ type: z.literal("json_object").describe(formatType) }),
    openObject({
      type: z.literal("json_schema").describe(formatType),
      name: toolName.describe("The name of the schema; needed with the type json_schema"),
      description: text.nullish().describe("What the answer is"),
      schema: openObject({}).describe("The JSON schema; needed with the type json_schema"),
      strict: z
        .boolean()
        .nullish()
        .describe(
          "Whether the answer must match the schema exactly; by default the upstream decides",
        ),
    }),
  ],
  { error: 'it must be "text", "json_object" or "json_schema"' },
);

const textSettings = openObject({
  format: textFormat.nullish().describe("The format of the answer; by default text"),
  verbosity: word.describe("How long the answer is: low, medium or high"),
});
const reasoningSettings = openObject({
  effort: word.describe(
    "How long the model thinks first, such as low or high; it counts within the cap",
  ),
  summary: word.describe("Accepted for client libraries; it has no effect"),
  generate_summary: word.describe("Accepted for client libraries; it has no effect"),
});

export const responsesRequest = openObject({
  model: textModel,
  models: fallbackModels,
  background: z.boolean().nullish().meta({
    default: false,
    description:
      "Whether the answer comes at once, in_progress, and the response is made meanwhile: get it by its id. It must be stored and not streamed",
  }),
  ...contextFields,
  max_tool_calls: z
    .int()
    .min(1)
    .max(OUTPUT_TOKENS_REQUEST_MAX)
    .nullish()
    .describe("The most calls of tools that run at the upstream; at most what the model offers"),
  input: z
    .union([text, z.array(inputItem).min(1).max(MESSAGES_MAX)], {
      error: "it must be a string or an array of items",
    })
    .describe("The conversation: what the user says, or items, the oldest first"),
  instructions: text
    .nullish()
    .describe("The instructions to the model; a previous response's do not count"),
  previous_response_id: z
    .string()
    .min(1)
    .max(RESPONSE_ID_LENGTH_MAX)
    .nullish()
    .describe("The id of a stored response, which the conversation continues"),
  store: z.boolean().nullish().meta({
    default: true,
    description: "Whether the response is stored, so that later requests can name it",
  }),
  stream: z.boolean().nullish().meta({
    default: false,
    description: "Whether the answer comes in events while it is written",
  }),
  stream_options: openObject({
    include_obfuscation: z
      .boolean()
      .nullish()
      .describe("Accepted for client libraries; it has no effect"),
  })
    .nullish()
    .describe("Options of a streamed answer"),
  tools: tools.nullish().describe("The tools that the model may call"),
  tool_choice: toolChoice
    .nullish()
    .describe("Whether the model calls a tool: none, auto, required, or the one to call"),
  parallel_tool_calls: z.boolean().nullish().describe("Whether one answer may call several tools"),
  temperature: z
    .number()
    .nullish()
    .describe("How random the answer is: usually from 0, the most predictable, to 2"),
  top_p: z
    .number()
    .nullish()
    .describe(
      "Only the likeliest tokens that make up this share of the probability are considered",
    ),
  max_output_tokens: z
    .int()
    .min(1)
    .max(OUTPUT_TOKENS_REQUEST_MAX)
    .nullish()
    .describe(
      "The most tokens of the answer; by default, and at most, as many as the model writes and the points pay for",
    ),
  text: textSettings.nullish().describe("The format and the length of the answer"),
  reasoning: reasoningSettings.nullish().describe("How the model thinks before it answers"),
  top_logprobs: z
    .int()
    .min(0)
    .max(TOP_LOGPROBS_MAX)
    .nullish()
    .describe("The number of other likely tokens that are listed for each token"),
  include: z
    .array(z.string().max(LABEL_LENGTH_MAX))
    .max(INCLUDES_MAX)
    .nullish()
    .describe("message.output_text.logprobs adds the likelihood of each token; others are ignored"),
  user: label.describe("Your identifier of the end user"),
  safety_identifier: label.describe(
    "Your identifier of the end user, by which the upstream tells your users apart",
  ),
  prompt_cache_key: label.describe(
    "A name for requests that begin the same, which helps an upstream's cache",
  ),
  prompt_cache_retention: label.describe("How long an upstream keeps its cache: in_memory or 24h"),
  prompt_cache_options: openObject({})
    .nullish()
    .describe("How an upstream uses its cache, in its own words"),
  moderation: openObject({})
    .nullish()
    .describe("How an upstream looks at the input and the answer, in its own words"),
  metadata: recordOf(z.string().max(TAG_VALUE_LENGTH_MAX), TAGS_MAX, TAG_NAME_LENGTH_MAX)
    .nullish()
    .describe("Your own names and values: the tags of the request, which the response repeats"),
  client_metadata: openObject({})
    .nullish()
    .describe("Accepted for client libraries; it has no effect"),
  service_tier: serviceTier,
});
export type ResponsesRequest = z.infer<typeof responsesRequest>;
export type InputItem = z.infer<typeof inputItem>;
export type MessagePart = z.infer<typeof messagePart>;
export type OwnTool = z.infer<typeof ownTool>;
export type SimpleTool = z.infer<typeof simpleTool>;
export type ToolChoice = z.infer<typeof toolChoice>;

const idText = "The id of the response";
const objectText = "The kind of object";

/** Also the `response` of the events that begin and end a streamed answer. */
export const responseAnswer = z.looseObject({
  id: z.string().describe(idText),
  object: z.literal("response").describe(objectText),
  created_at: z.int().describe("When the request came, in epoch seconds"),
  status: z
    .enum(["in_progress", "completed", "incomplete", "failed"])
    .describe("How far the answer is; incomplete at the cap or at a content filter"),
  model: z.string().describe("The model, as the request names it"),
  output: z
    .array(z.looseObject(outputFields))
    .describe("The answer: reasoning, messages and tool calls"),
  error: z
    .looseObject({
      code: z.string().describe("The failure's code, in the words of the Responses API"),
      message: z.string().describe("What happened, in a sentence"),
    })
    .nullable()
    .describe("Why the answer failed; null unless it did"),
  incomplete_details: z
    .looseObject({ reason: z.string().describe("max_output_tokens or content_filter") })
    .nullable()
    .describe("Why the answer is incomplete; null unless it is"),
  previous_response_id: z
    .string()
    .nullable()
    .describe("The response that this one continues; null when there is none"),
  store: z.boolean().describe("Whether the response is stored"),
  usage: z
    .looseObject({
      input_tokens: z.int().describe("The tokens of the input"),
      input_tokens_details: z
        .looseObject({
          cached_tokens: z.int().describe("The tokens that came from an upstream's cache"),
        })
        .describe("What the input tokens consist of"),
      output_tokens: z.int().describe("The tokens of the answer"),
      output_tokens_details: z
        .looseObject({ reasoning_tokens: z.int().describe("The tokens of the reasoning") })
        .describe("What the output tokens consist of"),
      total_tokens: z.int().describe("The sum of both"),
      points: z.number().optional().describe("What was charged, in points"),
    })
    .nullable()
    .describe("The tokens, and what they cost; null until then, and when nothing was charged"),
});

export const responseDeleted = z.object({
  id: z.string().describe(idText),
  object: z.literal("response").describe(objectText),
  deleted: z.literal(true).describe("Always true"),
});

export const inputItemsQuery = openObject({
  limit: z.coerce
    .number()
    .int()
    .min(1)
    .max(999)
    .optional()
    .meta({ default: 20, description: "The items of one page; more than 100 counts as 100" }),
  order: z
    .enum(["asc", "desc"])
    .optional()
    .meta({ default: "desc", description: "Whether the oldest or the newest item comes first" }),
  after: z
    .string()
    .max(TOOL_CALL_ID_LENGTH_MAX)
    .optional()
    .describe("The id of the last item of the page before"),
});

const itemId = z.string().nullable();

export const inputItemList = z.object({
  object: z.literal("list").describe(objectText),
  data: z
    .array(
      z.looseObject({
        type: z.string().describe("The kind of item"),
        id: z.string().describe("The id of the item"),
      }),
    )
    .describe("The items of the page, each with the fields that it has in a request"),
  first_id: itemId.describe("The id of the first item; null for an empty page"),
  last_id: itemId.describe("The id of the last item; null for an empty page"),
  has_more: z.boolean().describe("Whether there is another page"),
});
