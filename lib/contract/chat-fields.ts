/**
 * The chat fields that are passed to an upstream, each with the reason why it cannot raise the cost
 * above the hold. The input is bounded by its bytes, the output by the cap that the relay writes.
 * No other field is passed on.
 */
const SHAPES_ONLY = "changes which tokens are drawn, not how many the cap allows";
const STOPS_EARLIER = "can only end an answer before the cap";
const INPUT_BY_BYTES = "counts as input, which is held by its bytes";
const WITHIN_CAP = "its output counts within the cap";
const LABEL = "a label that costs nothing";
const CACHED_AT_DEAREST = "what is written to a cache is input, which is held at its dearest rate";
const BEYOND_TOKENS = "makes the answer longer in bytes, not in tokens";

export const passingChatFields: Readonly<Record<string, string>> = {
  messages: INPUT_BY_BYTES,
  temperature: SHAPES_ONLY,
  top_p: SHAPES_ONLY,
  presence_penalty: SHAPES_ONLY,
  frequency_penalty: SHAPES_ONLY,
  logit_bias: SHAPES_ONLY,
  seed: SHAPES_ONLY,
  stop: STOPS_EARLIER,
  tools: `definitions of functions only: ${INPUT_BY_BYTES}`,
  tool_choice: WITHIN_CAP,
  parallel_tool_calls: WITHIN_CAP,
  functions: INPUT_BY_BYTES,
  function_call: WITHIN_CAP,
  response_format: `${INPUT_BY_BYTES}; ${WITHIN_CAP}`,
  reasoning_effort:
    "reasoning counts within the cap; where a channel's upstream ignores that, the model's maximum is held",
  verbosity: WITHIN_CAP,
  logprobs: BEYOND_TOKENS,
  top_logprobs: BEYOND_TOKENS,
  modalities: "speech has a rate of its own, at which all of the output is held",
  service_tier: "another tier than the default has a rate of its own, and the dearest is held",
  user: LABEL,
  metadata: LABEL,
  store: LABEL,
  safety_identifier: LABEL,
  prompt_cache_key: "cached input never costs more than other input",
  prompt_cache_retention: CACHED_AT_DEAREST,
  prompt_cache_options: CACHED_AT_DEAREST,
  moderation: "adds what was found to the answer, and no tokens",
};

/** Fields that are passed where the model offers them: what each adds is held, see `text-asks.ts`. */
export const offeredChatFields: ReadonlySet<string> = new Set([
  "n",
  "audio",
  "web_search_options",
  "prediction",
]);

/**
 * Fields that the relay writes itself, or accepts only with a value that changes nothing. They are
 * never passed on, and not reported as ignored.
 */
export const ownChatFields: ReadonlySet<string> = new Set([
  "model",
  "stream",
  "stream_options",
  "max_tokens",
  "max_completion_tokens",
  "n",
  "best_of",
  "audio",
  "models",
  "route",
  "provider",
  "fallbacks",
  "plugins",
  "web_search_options",
]);

/** Fields that multiply an answer beyond the model's maximum: no channel may allow them. */
export const neverPassingChatFields: ReadonlySet<string> = new Set([
  "num_return_sequences",
  "num_beams",
  "num_beam_groups",
  "use_beam_search",
  "beam_width",
  "candidate_count",
]);

/** The form of a field name that may be allowed for a channel. */
export const chatFieldName = /^[A-Za-z_][\w-]{0,63}$/;
/** The output cap that an upstream honours, reasoning included. */
export const outputCaps = ["as_sent", "max_tokens", "max_completion_tokens", "none"] as const;
export type OutputCap = (typeof outputCaps)[number];

export const messageFields: ReadonlySet<string> = new Set([
  "role",
  "content",
  "name",
  "tool_calls",
  "tool_call_id",
  "function_call",
  "refusal",
  "reasoning_content",
  "reasoning",
  "reasoning_details",
]);
/** Of the parts of a message, by their types. */
export const partFields: Readonly<
  Record<"text" | "image_url" | "input_audio" | "file", ReadonlySet<string>>
> = {
  text: new Set(["type", "text"]),
  image_url: new Set(["type", "image_url"]),
  input_audio: new Set(["type", "input_audio"]),
  file: new Set(["type", "file"]),
};
export const soundFields: ReadonlySet<string> = new Set(["data", "format"]);
export const fileFields: ReadonlySet<string> = new Set(["file_data", "filename"]);
export const imageUrlFields: ReadonlySet<string> = new Set(["url", "detail"]);
export const toolFields: ReadonlySet<string> = new Set(["type", "function"]);
export const streamOptionFields: ReadonlySet<string> = new Set([
  "include_usage",
  "include_obfuscation",
]);
export const functionFields: ReadonlySet<string> = new Set([
  "name",
  "description",
  "parameters",
  "strict",
]);
