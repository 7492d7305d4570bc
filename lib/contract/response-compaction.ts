/** `POST /v1/responses/compact`: a conversation becomes what its user said and one item with a summary. */
import { z } from "zod";
import { openObject } from "./bounds";
import { responseAnswer, responsesRequest } from "./responses";

const { shape } = responsesRequest;

/** The fields of a response that say what is compacted, and by which model. */
export const compactRequest = openObject({
  model: shape.model,
  models: shape.models,
  input: shape.input,
  instructions: shape.instructions,
  previous_response_id: shape.previous_response_id,
  tools: shape.tools,
  parallel_tool_calls: shape.parallel_tool_calls,
  reasoning: shape.reasoning,
  text: shape.text,
  service_tier: shape.service_tier,
  prompt_cache_key: shape.prompt_cache_key,
  metadata: shape.metadata,
});
export type CompactRequest = z.infer<typeof compactRequest>;

export const compactedResponse = z.looseObject({
  id: responseAnswer.shape.id,
  object: z.literal("response.compaction").describe("The kind of object"),
  created_at: responseAnswer.shape.created_at,
  output: z
    .array(
      z.looseObject({
        type: z.enum(["message", "compaction"]).describe("The kind of item"),
        encrypted_content: z
          .string()
          .optional()
          .describe("The summary, which the model reads when the item is sent again"),
      }),
    )
    .describe("The user's messages, and one item with the summary of the rest"),
  usage: responseAnswer.shape.usage,
});
