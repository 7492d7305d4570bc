/**
 * `POST /v1/responses`: the Responses dialect of the text family. Strict about what it reads, open
 * to everything else, which is left out and named in `x-relay-ignored-fields`.
 */
import { z } from "zod";
import { openObject, recordOf } from "./bounds";
import { CONTENT_PARTS_MAX, MESSAGES_MAX, OUTPUT_TOKENS_REQUEST_MAX, text } from "./chat";
import {
  REQUESTED_MODEL_LENGTH_MAX,
  RESPONSE_ID_LENGTH_MAX,
  TOOL_CALL_ID_LENGTH_MAX,
  TOOL_NAME_LENGTH_MAX,
} from "./limits";
import { neutral, unsupportedField } from "./neutral";

const TOOLS_MAX = 1024;
const LABEL_LENGTH_MAX = 1000;
const WORD_LENGTH_MAX = 40;
const METADATA_MAX = 16;
const METADATA_NAME_LENGTH_MAX = 64;
const METADATA_VALUE_LENGTH_MAX = 512;
const INCLUDES_MAX = 32;
const TOP_LOGPROBS_MAX = 20;

const word = z.string().max(WORD_LENGTH_MAX).nullish();
const label = z.string().max(LABEL_LENGTH_MAX).nullish();
const itemId = z.string().max(TOOL_CALL_ID_LENGTH_MAX).nullish();
const callId = z.string().min(1).max(TOOL_CALL_ID_LENGTH_MAX);
const toolName = z.string().min(1).max(TOOL_NAME_LENGTH_MAX);
const namespace = z.string().max(TOOL_NAME_LENGTH_MAX).nullish();

const inputText = openObject({ type: z.literal("input_text"), text });
const outputText = openObject({ type: z.literal("output_text"), text });
const refusal = openObject({ type: z.literal("refusal"), refusal: text });
// The file's id comes first, so that it is named when it is why there is no address.
const inputImage = openObject({
  type: z.literal("input_image"),
  file_id: unsupportedField,
  image_url: text.min(1),
  detail: word,
});

const messagePart = z.discriminatedUnion("type", [inputText, inputImage, outputText, refusal], {
  error: 'it must be "input_text", "input_image", "output_text" or "refusal"',
});
const outputPart = z.discriminatedUnion("type", [inputText, inputImage], {
  error: 'it must be "input_text" or "input_image"',
});
const partsOr = <Part extends z.ZodType>(part: Part) =>
  z.union([text, z.array(part).max(CONTENT_PARTS_MAX)], {
    error: "it must be a string or an array of parts",
  });

const messageItem = openObject({
  type: z.literal("message").optional(),
  id: itemId,
  role: z.enum(["user", "assistant", "system", "developer"]),
  content: partsOr(messagePart),
});
const functionCall = openObject({
  type: z.literal("function_call"),
  id: itemId,
  call_id: callId,
  name: toolName,
  namespace,
  arguments: text,
});
const functionCallOutput = openObject({
  type: z.literal("function_call_output"),
  id: itemId,
  call_id: callId,
  output: partsOr(outputPart),
});
const customToolCall = openObject({
  type: z.literal("custom_tool_call"),
  id: itemId,
  call_id: callId,
  name: toolName,
  namespace,
  input: text,
});
const customToolCallOutput = openObject({
  type: z.literal("custom_tool_call_output"),
  id: itemId,
  call_id: callId,
  output: partsOr(outputPart),
});
const reasoningItem = openObject({
  type: z.literal("reasoning"),
  id: itemId,
  summary: z.array(openObject({ type: z.literal("summary_text"), text })).max(CONTENT_PARTS_MAX),
  content: z
    .array(openObject({ type: z.literal("reasoning_text"), text }))
    .max(CONTENT_PARTS_MAX)
    .nullish(),
  encrypted_content: text.nullish(),
});
const itemReference = openObject({
  type: z.literal("item_reference"),
  id: z.string().min(1).max(TOOL_CALL_ID_LENGTH_MAX),
});

const inputItem = z.discriminatedUnion(
  "type",
  [
    messageItem,
    functionCall,
    functionCallOutput,
    customToolCall,
    customToolCallOutput,
    reasoningItem,
    itemReference,
  ],
  {
    error:
      "only messages, function calls, custom tool calls, their outputs, reasoning and references to items are supported",
  },
);

/** Items as they are stored: of a request, or of an answer. */
export const storedItems = z.array(inputItem).max(MESSAGES_MAX);
/** An answer as it is stored, without its items. */
export const storedResponse = openObject({ id: z.string().max(RESPONSE_ID_LENGTH_MAX) });

const functionTool = openObject({
  type: z.literal("function"),
  name: toolName,
  description: text.nullish(),
  parameters: openObject({}).nullish(),
  strict: z.boolean().nullish(),
});
const customTool = openObject({
  type: z.literal("custom"),
  name: toolName,
  description: text.nullish(),
  format: openObject({ type: word, syntax: word, definition: text.nullish() }).nullish(),
});
const namespaceTool = openObject({
  type: z.literal("namespace"),
  name: toolName,
  description: text.nullish(),
  tools: z
    .array(
      z.discriminatedUnion("type", [functionTool, customTool], {
        error: 'it must be "function" or "custom"',
      }),
    )
    .max(TOOLS_MAX),
});
const ownTool = z.discriminatedUnion("type", [functionTool, customTool, namespaceTool]);
/** A tool that would run upstream: it is left out. */
const otherTool = openObject({
  type: z
    .string()
    .min(1)
    .max(WORD_LENGTH_MAX)
    // With `abort`, the fault of one of our own tools is reported instead.
    .regex(/^(?!(?:function|custom|namespace)$)/, { abort: true }),
});

const namedTool = openObject({ type: word, name: toolName.nullish(), namespace });
const toolChoice = z.union(
  [
    z.enum(["none", "auto", "required"]),
    openObject({
      type: z.string().min(1).max(WORD_LENGTH_MAX),
      name: toolName.nullish(),
      namespace,
      mode: z.enum(["auto", "required"]).nullish(),
      tools: z.array(namedTool).max(TOOLS_MAX).nullish(),
    }),
  ],
  { error: 'it must be "none", "auto", "required" or an object that names a tool' },
);

const textFormat = z.discriminatedUnion(
  "type",
  [
    openObject({ type: z.literal("text") }),
    openObject({ type: z.literal("json_object") }),
    openObject({
      type: z.literal("json_schema"),
      name: toolName,
      description: text.nullish(),
      schema: openObject({}),
      strict: z.boolean().nullish(),
    }),
  ],
  { error: 'it must be "text", "json_object" or "json_schema"' },
);

export const responsesRequest = openObject({
  model: z.string().min(1).max(REQUESTED_MODEL_LENGTH_MAX),
  background: neutral(
    [false],
    "unsupported_value",
    "responses do not run in the background; omit it or send false",
    "Only false, which has no effect: responses do not run in the background",
  ),
  conversation: unsupportedField,
  prompt: unsupportedField,
  input: z.union([text, z.array(inputItem).min(1).max(MESSAGES_MAX)], {
    error: "it must be a string or an array of items",
  }),
  instructions: text.nullish(),
  previous_response_id: z.string().min(1).max(RESPONSE_ID_LENGTH_MAX).nullish(),
  store: z.boolean().nullish(),
  stream: z.boolean().nullish(),
  stream_options: openObject({ include_obfuscation: z.boolean().nullish() }).nullish(),
  tools: z
    .array(z.union([ownTool, otherTool], { error: "it must be an object with a type" }))
    .max(TOOLS_MAX)
    .nullish(),
  tool_choice: toolChoice.nullish(),
  parallel_tool_calls: z.boolean().nullish(),
  temperature: z.number().nullish(),
  top_p: z.number().nullish(),
  max_output_tokens: z.int().min(1).max(OUTPUT_TOKENS_REQUEST_MAX).nullish(),
  text: openObject({ format: textFormat.nullish(), verbosity: word }).nullish(),
  reasoning: openObject({ effort: word, summary: word, generate_summary: word }).nullish(),
  top_logprobs: z.int().min(0).max(TOP_LOGPROBS_MAX).nullish(),
  include: z.array(z.string().max(LABEL_LENGTH_MAX)).max(INCLUDES_MAX).nullish(),
  user: label,
  safety_identifier: label,
  prompt_cache_key: label,
  metadata: recordOf(
    z.string().max(METADATA_VALUE_LENGTH_MAX),
    METADATA_MAX,
    METADATA_NAME_LENGTH_MAX,
  ).nullish(),
  client_metadata: openObject({}).nullish(),
  service_tier: neutral(
    ["auto", "default"],
    "unsupported_value",
    'only "auto" and "default" are supported',
    "Only these values, which have no effect: there is one tier",
  ),
  truncation: neutral(
    ["disabled"],
    "unsupported_value",
    'only "disabled" is supported',
    "Only disabled, which has no effect: input that is too long is refused",
  ),
});
export type ResponsesRequest = z.infer<typeof responsesRequest>;
export type InputItem = z.infer<typeof inputItem>;
export type MessagePart = z.infer<typeof messagePart>;
export type OwnTool = z.infer<typeof ownTool>;
export type SimpleTool = z.infer<typeof functionTool> | z.infer<typeof customTool>;
export type ToolChoice = z.infer<typeof toolChoice>;

const item = z.looseObject({ type: z.string(), id: z.string() });

/** Also the `response` of the events that begin and end a streamed answer. */
export const responseAnswer = z.looseObject({
  id: z.string(),
  object: z.literal("response"),
  created_at: z.int(),
  status: z.enum(["in_progress", "completed", "incomplete", "failed"]),
  model: z.string(),
  output: z.array(item),
  error: z.looseObject({ code: z.string(), message: z.string() }).nullable(),
  incomplete_details: z.looseObject({ reason: z.string() }).nullable(),
  previous_response_id: z.string().nullable(),
  store: z.boolean(),
  /** With the cost in points; null while the answer is made, and when nothing was charged. */
  usage: z
    .looseObject({
      input_tokens: z.int(),
      input_tokens_details: z.looseObject({ cached_tokens: z.int() }),
      output_tokens: z.int(),
      output_tokens_details: z.looseObject({ reasoning_tokens: z.int() }),
      total_tokens: z.int(),
      points: z.number().optional(),
    })
    .nullable(),
});

/** One event of a streamed answer. */
export const responsesEvent = z.looseObject({ type: z.string(), sequence_number: z.int() });

export const responseDeleted = z.object({
  id: z.string(),
  object: z.literal("response"),
  deleted: z.literal(true),
});

export const inputItemsQuery = openObject({
  limit: z
    .string()
    .regex(/^[1-9]\d{0,2}$/)
    .max(3)
    .optional()
    .describe("How many items, from 1 to 100; by default 20"),
  order: z.enum(["asc", "desc"]).optional().describe("By default the newest first"),
  after: z.string().max(TOOL_CALL_ID_LENGTH_MAX).optional().describe("The item before the page"),
});

export const inputItemList = z.object({
  object: z.literal("list"),
  data: z.array(item),
  first_id: z.string().nullable(),
  last_id: z.string().nullable(),
  has_more: z.boolean(),
});
