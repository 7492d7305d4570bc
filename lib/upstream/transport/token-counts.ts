/** The numbers of tokens in a refusal: of a window that is too small, or of a cap that is too large. */

export interface TokenCounts {
  /** The tokens that fit into the window; null when not said. */
  readonly window: number | null;
  /** The tokens of the input; null when not said. */
  readonly input: number | null;
  /** The largest output cap that the model takes; null when not said. */
  readonly capMax: number | null;
}

const windows: readonly RegExp[] = [
  /(?:context|prompt|input) (?:length|window|size|limit)(?: is| of)?(?: only)? (\d{2,9})/i,
  /available context size \((\d{2,9})/i,
  /must be <= (\d{2,9})\. Given/,
  /"n_ctx": ?(\d{2,9})/,
  /limit: (\d{2,9}) \(re ?quested/i,
  /\d{1,9} \+ \d{1,9} > (\d{2,9})/,
  /tokens > (\d{2,9}) maximum/,
  /tokens allowed \((\d{2,9})\)/,
  /context length \((\d{2,9}) tokens/i,
  /(?:input length|input tokens) should be \[\d{1,4}, ?(\d{2,9})\]/i,
  /configured limit of (\d{2,9}) tokens/,
  /with (\d{2,9}) maximum context length/,
  /context window of (\d{2,9})/i,
  /at most (\d{2,9}) fit/,
  /token count of \d{1,9} exceeds the limit of (\d{2,9})/i,
  /length is \d{1,9} while limit is (\d{2,9})/i,
  /maximum model length of (\d{2,9})/i,
  /max size: (\d{2,9}) tokens/i,
  /max_seq_len \((\d{2,9})\)/,
  /maximum allowed length \((\d{2,9}) tokens\)/i,
  /must have less than (\d{2,9}) tokens/,
  /supported sequence length is just (\d{2,9})/,
];
const inputs: readonly RegExp[] = [
  /(\d{1,9})(?: tokens)? (?:in|of|from) (?:the |your )?(?:input |text )?(?:messages|prompt|input)/i,
  /your prompt contains (?:at least )?(\d{1,9}) input tokens/i,
  /has (\d{1,9}) input tokens/i,
  /Given: (\d{1,9}) `inputs`/,
  /context limit: (\d{1,9}) \+ /,
  /too long: (\d{1,9}) tokens/,
  /messages resulted in (\d{1,9}) tokens/i,
  /token count \((\d{1,9})\)/,
  /request \((\d{1,9}) tokens\)/i,
  /input \((\d{1,9}) tokens\)/i,
  /re ?quested: (\d{1,9})\)/i,
  /requested about (\d{1,9}) tokens \(\d{1,9} of text input\)/i,
  /prompt contains (\d{1,9}) tokens/i,
  /requested tokens \((\d{1,9})\)/i,
  /of this model: (\d{1,9}) tokens/,
  /keep the first (\d{1,9}) tokens/i,
  /request contains (\d{1,9}) tokens/i,
  /token count of (\d{1,9}) exceeds/i,
  /length is (\d{1,9}) while limit/i,
  /prompt \(length (\d{1,9})\)/i,
  /length of prompt_tokens \((\d{1,9})\)/,
  /input length \((\d{1,9}) tokens\)/i,
  /tokens\. Given: (\d{1,9})/,
  /prompt is (\d{1,9}) tokens long/,
];
const caps: readonly RegExp[] = [
  /expected a value <= (\d{1,9})/,
  /tokens: \d{1,9} > (\d{1,9}),/,
  /max_tokens should be \[\d{1,4}, ?(\d{1,9})\]/i,
  /(?:less than or equal to|must be <=) [`'"]?(\d{1,9})/,
  /supports at most (\d{1,9}) (?:completion|output) tokens/i,
  /max_tokens\W{1,4}valid range.{0,20}?\[\d{1,4}, ?(\d{1,9})\]/i,
  /Send at most (\d{1,9})\./,
  /valid range of max_tokens is \[\d{1,4}, ?(\d{1,9})\]/i,
  /exceeds the model limit of (\d{1,9})/i,
];
/** The first number that is too large. */
const capEnds: readonly RegExp[] = [/from \d{1,4} \(inclusive\) to (\d{1,9}) \(exclusive\)/];

function firstOf(patterns: readonly RegExp[], words: string): number | null {
  for (const pattern of patterns) {
    const found = pattern.exec(words)?.[1];
    if (found !== undefined) return Number(found);
  }
  return null;
}

export function tokenCountsOf(words: string): TokenCounts {
  const capEnd = firstOf(capEnds, words);
  return {
    window: firstOf(windows, words),
    input: firstOf(inputs, words),
    capMax: capEnd === null ? firstOf(caps, words) : capEnd - 1,
  };
}
