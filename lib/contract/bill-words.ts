/** The closed lists of words of upstreams' bills. */

/** How an upstream writes its bill. */
export const billFormats = ["csv", "relay", "openai", "anthropic"] as const;
export type BillFormat = (typeof billFormats)[number];
/** Why a bill is not what our own book says. */
export const differenceCauses = [
  "unknown_call",
  "billed_twice",
  "failed_call",
  "own_test",
  "other_model",
  "cached_twice",
  "cached_as_fresh",
  "reasoning_twice",
  "other_tokens",
  "other_rate",
  "other_time",
  "rounding",
  "rounded_up",
  "no_rate",
  "other_total",
  "not_billed",
] as const;
export type DifferenceCause = (typeof differenceCauses)[number];
/** What a right bill has, too: no alarm. */
export const usualCauses: readonly DifferenceCause[] = ["rounding", "own_test"];
