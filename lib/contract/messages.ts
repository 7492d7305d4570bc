/**
 * `POST /v1/messages`: the text family in the dialect of the Messages API. Strict about what is
 * translated, open to everything else: a field that is not known here is left out, and named in
 * `x-relay-ignored-fields`.
 */
import { z } from "zod";
import { openObject } from "./bounds";
import { CHAT_BODY_MEBIBYTES_MAX, REQUESTED_MODEL_LENGTH_MAX } from "./limits";

const MESSAGES_MAX = 4096;
const BLOCKS_MAX = 1024;
const TOOLS_MAX = 512;
const STOP_SEQUENCES_MAX = 64;
const STOP_SEQUENCE_LENGTH_MAX = 1000;
const NAME_LENGTH_MAX = 256;
const TYPE_LENGTH_MAX = 100;
const USER_ID_LENGTH_MAX = 1000;
/** The members of a tool's input or of a JSON schema. What is inside them is not looked at. */
const OPEN_MEMBERS_MAX = 1024;
/** As long as the whole body may be. */
const TEXT_CHARACTERS_MAX = CHAT_BODY_MEBIBYTES_MAX * 1024 * 1024;
const OUTPUT_TOKENS_REQUEST_MAX = 2 ** 31 - 1;

const text = z.string().max(TEXT_CHARACTERS_MAX);
const name = z.string().min(1).max(NAME_LENGTH_MAX);
const anyObject = openObject({}, OPEN_MEMBERS_MAX);

const textBlock = openObject({ type: z.literal("text"), text });

const imageBlock = openObject({
  type: z.literal("image"),
  source: z.discriminatedUnion(
    "type",
    [
      openObject({
        type: z.literal("base64"),
        media_type: z.enum(["image/jpeg", "image/png", "image/gif", "image/webp"]),
        data: text.min(1),
      }),
      openObject({ type: z.literal("url"), url: text.min(1) }),
    ],
    { error: 'it must be "base64" or "url"' },
  ),
});

const blocksOf = <Block extends z.ZodType>(block: Block) =>
  z.union([text, z.array(block).max(BLOCKS_MAX)], {
    error: "it must be a string or an array of content blocks",
  });

const documentBlock = openObject({
  type: z.literal("document"),
  title: text.nullish(),
  context: text.nullish(),
  source: z.discriminatedUnion(
    "type",
    [
      openObject({ type: z.literal("text"), data: text }),
      openObject({
        type: z.literal("content"),
        content: blocksOf(
          z.discriminatedUnion("type", [textBlock, imageBlock], {
            error: 'it must be "text" or "image"',
          }),
        ),
      }),
    ],
    { error: 'it must be "text" or "content": files are not read here' },
  ),
});

const searchResultBlock = openObject({
  type: z.literal("search_result"),
  title: text,
  source: text,
  content: z.array(textBlock).max(BLOCKS_MAX),
});

const toolResultBlock = openObject({
  type: z.literal("tool_result"),
  tool_use_id: name,
  is_error: z.boolean().nullish(),
  content: blocksOf(
    z.discriminatedUnion("type", [textBlock, imageBlock, documentBlock, searchResultBlock], {
      error: 'it must be "text", "image", "document" or "search_result"',
    }),
  ).nullish(),
});

const toolUseBlock = openObject({
  type: z.literal("tool_use"),
  id: name,
  name,
  input: anyObject,
});

const thinkingBlock = openObject({ type: z.enum(["thinking", "redacted_thinking"]) });

/** What tools that run at another provider wrote into a conversation. It is left out. */
const foreignToolBlock = openObject({
  type: z.enum([
    "server_tool_use",
    "web_search_tool_result",
    "web_fetch_tool_result",
    "code_execution_tool_result",
    "bash_code_execution_tool_result",
    "text_editor_code_execution_tool_result",
    "tool_search_tool_result",
    "mcp_tool_use",
    "mcp_tool_result",
    "container_upload",
  ]),
});

const userBlock = z.discriminatedUnion(
  "type",
  [textBlock, imageBlock, documentBlock, searchResultBlock, toolResultBlock, foreignToolBlock],
  { error: 'it must be "text", "image", "document", "search_result" or "tool_result"' },
);
const assistantBlock = z.discriminatedUnion(
  "type",
  [textBlock, thinkingBlock, toolUseBlock, foreignToolBlock],
  { error: 'it must be "text", "thinking" or "tool_use"' },
);

const message = z.discriminatedUnion(
  "role",
  [
    openObject({ role: z.literal("user"), content: blocksOf(userBlock) }),
    openObject({ role: z.literal("assistant"), content: blocksOf(assistantBlock) }),
    openObject({ role: z.literal("system"), content: blocksOf(textBlock) }),
  ],
  { error: 'it must be "user", "assistant" or "system"' },
);

const customTool = openObject({
  type: z.literal("custom").nullish(),
  name,
  description: text.nullish(),
  input_schema: anyObject,
  strict: z.boolean().nullish(),
});
/** A tool that runs at another provider, or whose definition only that provider knows. */
const foreignTool = openObject({
  type: z
    .string()
    .max(TYPE_LENGTH_MAX)
    .regex(/^(?!custom$)[\w.-]+$/),
});
const tool = z.union([customTool, foreignTool], {
  error: "it must be a tool with `name` and `input_schema`",
});

const parallel = { disable_parallel_tool_use: z.boolean().nullish() };
const toolChoice = z.discriminatedUnion(
  "type",
  [
    openObject({ type: z.enum(["auto", "any"]), ...parallel }),
    openObject({ type: z.literal("tool"), name, ...parallel }),
    openObject({ type: z.literal("none") }),
  ],
  { error: 'it must be "auto", "any", "tool" or "none"' },
);

const thinking = z.discriminatedUnion(
  "type",
  [
    openObject({
      type: z.literal("enabled"),
      budget_tokens: z.int().min(1).max(OUTPUT_TOKENS_REQUEST_MAX),
    }),
    openObject({ type: z.enum(["adaptive", "between_tools", "disabled"]) }),
  ],
  { error: 'it must be "enabled", "adaptive", "between_tools" or "disabled"' },
);

const outputFormat = openObject({ type: z.literal("json_schema"), schema: anyObject });

const counted = {
  model: z.string().min(1).max(REQUESTED_MODEL_LENGTH_MAX),
  messages: z.array(message).min(1).max(MESSAGES_MAX),
  system: blocksOf(textBlock).nullish(),
  tools: z.array(tool).max(TOOLS_MAX).nullish(),
  tool_choice: toolChoice.nullish(),
  thinking: thinking.nullish(),
  output_config: openObject({
    effort: z.enum(["low", "medium", "high", "xhigh", "max"]).nullish(),
    format: outputFormat.nullish(),
  }).nullish(),
  output_format: outputFormat.nullish(),
};

export const messagesRequest = openObject({
  ...counted,
  max_tokens: z.int().min(1).max(OUTPUT_TOKENS_REQUEST_MAX),
  stream: z.boolean().nullish(),
  stop_sequences: z
    .array(z.string().min(1).max(STOP_SEQUENCE_LENGTH_MAX))
    .max(STOP_SEQUENCES_MAX)
    .nullish(),
  temperature: z.number().nullish(),
  top_p: z.number().nullish(),
  top_k: z.int().nullish(),
  metadata: openObject({ user_id: z.string().max(USER_ID_LENGTH_MAX).nullish() }).nullish(),
  service_tier: z.enum(["auto", "standard_only"]).nullish(),
});
export type MessagesRequest = z.infer<typeof messagesRequest>;

export const countTokensRequest = openObject(counted);
export const countTokensResponse = z.object({ input_tokens: z.int() });

const usage = z.object({
  /** Without those that came from the upstream's cache. */
  input_tokens: z.int(),
  cache_creation_input_tokens: z.int(),
  cache_read_input_tokens: z.int(),
  output_tokens: z.int(),
  output_tokens_details: z.object({ thinking_tokens: z.int() }).optional(),
  /** The cost in points; absent when nothing was charged for want of usage. */
  points: z.number().optional(),
});
const stopReason = z.enum(["end_turn", "max_tokens", "stop_sequence", "tool_use", "refusal"]);

export const messagesResponse = z.object({
  id: z.string(),
  type: z.literal("message"),
  role: z.literal("assistant"),
  model: z.string(),
  content: z.array(
    z.discriminatedUnion("type", [
      z.object({ type: z.literal("text"), text: z.string() }),
      z.object({ type: z.literal("thinking"), thinking: z.string(), signature: z.string() }),
      z.object({
        type: z.literal("tool_use"),
        id: z.string(),
        name: z.string(),
        input: z.looseObject({}),
      }),
    ]),
  ),
  stop_reason: stopReason,
  stop_sequence: z.string().nullable(),
  stop_details: z.null(),
  container: z.null(),
  usage,
});
export type MessagesResponse = z.infer<typeof messagesResponse>;

/** The data of one event of a streamed answer. The event's name is its `type`. */
export const messagesEvent = z.looseObject({
  type: z.enum([
    "message_start",
    "content_block_start",
    "ping",
    "content_block_delta",
    "content_block_stop",
    "message_delta",
    "message_stop",
    "error",
  ]),
});

/** The body of an error answer in this dialect. */
export const messagesFailure = z.object({
  type: z.literal("error"),
  error: z.looseObject({
    type: z.string(),
    message: z.string(),
    code: z.string(),
    param: z.string().nullable(),
  }),
  request_id: z.string(),
});
