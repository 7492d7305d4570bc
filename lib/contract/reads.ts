import { z } from "zod";
import { recordOf } from "./bounds";
import type { Reading } from "./channel-profile";

const flag = z.boolean().optional();

/** What an upstream reads of requests, by model; what is absent is not known. */
export const reads = recordOf(
  z.object({
    developer: flag,
    system: flag,
    system_later: flag,
    content_parts: flag,
    content_null: flag,
    json_schema: flag,
    json_object: flag,
    strict: flag,
    reasoning_content: flag,
    reasoning: flag,
    reasoning_details: flag,
    tool_images: flag,
    call_ids: flag,
    call_signature: flag,
    extra_content: flag,
    tool_choice: flag,
    tool_schema: flag,
    stream_options: flag,
    max_tokens: flag,
    max_completion_tokens: flag,
    parallel_tool_calls: flag,
    reasoning_effort: flag,
    store: flag,
    metadata: flag,
    user: flag,
    safety_identifier: flag,
    prompt_cache_key: flag,
    prompt_cache_retention: flag,
    prompt_cache_options: flag,
    moderation: flag,
    service_tier: flag,
    modalities: flag,
    verbosity: flag,
    seed: flag,
    temperature: flag,
    top_p: flag,
    presence_penalty: flag,
    frequency_penalty: flag,
    stop: flag,
    logprobs: flag,
    top_logprobs: flag,
    logit_bias: flag,
  } satisfies Record<Reading, z.ZodType>),
);
