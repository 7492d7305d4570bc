/** Words that chat and the Messages API have for the same things, in both directions. */

/** Budgets of thinking up to these are a low and a medium effort. */
export const LOW_BUDGET_TOKENS_MAX = 4096;
export const MEDIUM_BUDGET_TOKENS_MAX = 16_384;
/** The budget that a high effort gets, and the least that the Messages API accepts. */
export const HIGH_BUDGET_TOKENS = 32_768;
export const BUDGET_TOKENS_MIN = 1024;

/** Chat fields that the Messages API has no words for. */
export const chatFieldsWithoutMessages: readonly string[] = [
  "presence_penalty",
  "frequency_penalty",
  "logit_bias",
  "seed",
  "verbosity",
  "logprobs",
  "top_logprobs",
  "prompt_cache_key",
  "prompt_cache_retention",
  "prompt_cache_options",
  "moderation",
  "audio",
  "web_search_options",
];
