/**
 * `POST /v1/messages`: the text family in the dialect of the Messages API. Strict about what is
 * translated, open to everything else: a field that is not known here is left out, and named in
 * `x-relay-ignored-fields`.
 */
import { z } from "zod";
import { openObject } from "./bounds";
import { fallbackModels, textModel } from "./chat";
import { anyObject, hostedBlocks, message, systemBlocks } from "./messages-blocks";
import { toolChoice, tools } from "./messages-tools";

const MESSAGES_MAX = 4096;
const STOP_SEQUENCES_MAX = 64;
const STOP_SEQUENCE_LENGTH_MAX = 1000;
const USER_ID_LENGTH_MAX = 1000;
const WORD_LENGTH_MAX = 40;
const OUTPUT_TOKENS_REQUEST_MAX = 2 ** 31 - 1;

const thinkingType = "Whether the model thinks before it answers; only enabled has an effect";
const thinking = z.discriminatedUnion(
  "type",
  [
    openObject({
      type: z.literal("enabled").describe(thinkingType),
      budget_tokens: z
        .int()
        .min(1)
        .max(OUTPUT_TOKENS_REQUEST_MAX)
        .nullish()
        .describe(
          "Up to 4,096 is passed on as low effort, up to 16,384 as medium, more as high; by default medium",
        ),
    }),
    openObject({ type: z.enum(["adaptive", "between_tools", "disabled"]).describe(thinkingType) }),
  ],
  { error: 'it must be "enabled", "adaptive", "between_tools" or "disabled"' },
);

const outputFormat = openObject({
  type: z.literal("json_schema").describe("The kind of format"),
  schema: anyObject.describe("The JSON schema that the answer matches"),
});

const counted = {
  model: textModel,
  messages: z
    .array(message)
    .min(1)
    .max(MESSAGES_MAX)
    .describe("The conversation so far, the oldest message first"),
  system: systemBlocks.nullish().describe("The instructions to the model: text, or blocks of text"),
  tools: tools.nullish().describe("The tools that the model may call"),
  tool_choice: toolChoice.nullish().describe("How the model chooses a tool"),
  thinking: thinking.nullish().describe("How long the model thinks first; passed on as its effort"),
  output_config: openObject({
    effort: z
      .enum(["low", "medium", "high", "xhigh", "max"])
      .nullish()
      .describe("How much the model thinks first; xhigh and max count as high"),
    format: outputFormat.nullish().describe("The format of the answer; by default text"),
  })
    .nullish()
    .describe("The effort and the format of the answer"),
  output_format: outputFormat.nullish().describe("The older form of output_config.format"),
};

export const messagesRequest = openObject({
  ...counted,
  models: fallbackModels,
  max_tokens: z
    .int()
    .min(1)
    .max(OUTPUT_TOKENS_REQUEST_MAX)
    .describe("The most tokens of the answer; more than the model's maximum counts as the maximum"),
  stream: z.boolean().nullish().meta({
    default: false,
    description: "Whether the answer comes in events while it is written",
  }),
  stop_sequences: z
    .array(z.string().min(1).max(STOP_SEQUENCE_LENGTH_MAX))
    .max(STOP_SEQUENCES_MAX)
    .nullish()
    .describe("Texts at which the answer ends"),
  temperature: z
    .number()
    .nullish()
    .describe("How random the answer is: usually from 0, the most predictable, to 1"),
  top_p: z
    .number()
    .nullish()
    .describe(
      "Only the likeliest tokens that make up this share of the probability are considered",
    ),
  top_k: z.int().nullish().describe("Only this many of the likeliest tokens are considered"),
  metadata: openObject({
    user_id: z
      .string()
      .max(USER_ID_LENGTH_MAX)
      .nullish()
      .describe("Your identifier of the end user; the upstream gets its first 64 characters"),
  })
    .nullish()
    .describe("What you say about the request"),
  service_tier: z
    .enum(["auto", "standard_only"])
    .nullish()
    .describe(
      "Passed to an upstream of this API; auto may be served at another rate, where there is one",
    ),
  speed: z
    .string()
    .max(WORD_LENGTH_MAX)
    .nullish()
    .describe("fast where the model has a rate for it; it is billed as it is served"),
  inference_geo: z
    .string()
    .max(WORD_LENGTH_MAX)
    .nullish()
    .describe("Where the model runs, where it has a rate for that; it is billed as it is served"),
});
export type MessagesRequest = z.infer<typeof messagesRequest>;

export const countTokensRequest = openObject(counted);
export const countTokensResponse = z.object({
  input_tokens: z.int().describe("The most input tokens that the request can have"),
});

const usage = z.object({
  input_tokens: z.int().describe("The tokens of the input, without those of an upstream's cache"),
  cache_creation_input_tokens: z.int().describe("The tokens that an upstream wrote to its cache"),
  cache_read_input_tokens: z.int().describe("The tokens that came from an upstream's cache"),
  output_tokens: z.int().describe("The tokens of the answer"),
  output_tokens_details: z
    .object({ thinking_tokens: z.int().describe("The tokens of the thinking") })
    .optional()
    .describe("What the output tokens consist of, where the upstream says it"),
  server_tool_use: z
    .looseObject({})
    .optional()
    .describe("The calls of tools that ran at the upstream, by kind"),
  points: z
    .number()
    .optional()
    .describe("What was charged, in points; absent when nothing was charged"),
});
const usageText = "The tokens, and what they cost";

const idText = "The id of the answer";
const blockType = "The kind of block";
const stopReason = z.enum([
  "end_turn",
  "max_tokens",
  "stop_sequence",
  "tool_use",
  "refusal",
  "pause_turn",
  "compaction",
]);
const stopReasonText = "Why the answer ended";
const stopSequenceText = "The stop sequence that ended the answer; null when none did";

export const messagesResponse = z.object({
  id: z.string().describe(idText),
  type: z.literal("message").describe("The kind of object"),
  role: z.literal("assistant").describe("Who speaks"),
  model: z.string().describe("The model, as the request names it"),
  content: z
    .array(
      z.discriminatedUnion("type", [
        z.object({
          type: z.literal("text").describe(blockType),
          text: z.string().describe("The text"),
        }),
        z.object({
          type: z.literal("thinking").describe(blockType),
          thinking: z.string().describe("What the model thought"),
          signature: z
            .string()
            .describe("The upstream's signature of the thinking; empty where it gives none"),
        }),
        z.object({
          type: z.literal("redacted_thinking").describe(blockType),
          data: z.string().describe("Thinking that only the upstream can read"),
        }),
        z.object({
          type: z.literal("tool_use").describe(blockType),
          id: z.string().describe("The id of the tool call; your tool_result names it"),
          name: z.string().describe("The name of the tool"),
          input: z.looseObject({}).describe("The input that the model wrote for the tool"),
        }),
        z.looseObject({
          type: z.enum(hostedBlocks).describe(blockType),
        }),
      ]),
    )
    .describe("The answer in blocks"),
  stop_reason: stopReason.describe(stopReasonText),
  stop_sequence: z.string().nullable().describe(stopSequenceText),
  stop_details: z.null().describe("Always null"),
  container: z
    .looseObject({})
    .nullable()
    .describe("The upstream's container, where its own tools used one; else null"),
  usage: usage.describe(usageText),
});
export type MessagesResponse = z.infer<typeof messagesResponse>;

const errorFields = {
  type: z.string().describe("The kind of failure"),
  message: z.string().describe("What happened, in a sentence"),
  code: z.string().describe("The failure's code"),
  param: z.string().nullable().describe("The field that is wrong; null when it is none"),
};

/** The data of one event of a streamed answer. The event's name is its `type`. */
export const messagesEvent = z.looseObject({
  type: z
    .enum([
      "message_start",
      "content_block_start",
      "ping",
      "content_block_delta",
      "content_block_stop",
      "message_delta",
      "message_stop",
      "error",
    ])
    .describe("The kind of event; the event has the same name"),
  message: z
    .looseObject({ id: z.string().describe(idText) })
    .optional()
    .describe("The answer without its content; in message_start"),
  index: z.int().optional().describe("The position of the block; in the events of a block"),
  content_block: z
    .looseObject({
      type: z
        .enum(["text", "thinking", "redacted_thinking", "tool_use", ...hostedBlocks])
        .describe(blockType),
    })
    .optional()
    .describe("The new block, still empty; in content_block_start"),
  delta: z
    .looseObject({
      type: z
        .enum(["text_delta", "thinking_delta", "input_json_delta", "signature_delta"])
        .optional()
        .describe("The kind of piece; in content_block_delta"),
      text: z.string().optional().describe("The next piece of the text"),
      thinking: z.string().optional().describe("The next piece of the thinking"),
      signature: z.string().optional().describe("The signature of the thinking"),
      partial_json: z.string().optional().describe("The next piece of a tool's input, as JSON"),
      stop_reason: stopReason.optional().describe(stopReasonText),
      stop_sequence: z.string().nullable().optional().describe(stopSequenceText),
    })
    .optional()
    .describe("What is new; in content_block_delta and message_delta"),
  usage: usage.optional().describe("The tokens, and what they cost; in message_delta"),
  error: z.looseObject(errorFields).optional().describe("Why the stream ended early; in error"),
  request_id: z.string().optional().describe("The id of the request; in error"),
});

/** The body of an error answer in this dialect. */
export const messagesFailure = z.object({
  type: z.literal("error"),
  error: z.looseObject(errorFields),
  request_id: z.string(),
});
