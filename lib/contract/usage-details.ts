/**
 * The parts of the input and output for which a usage report has a count, under the names that APIs of
 * text have for them. Answers show these parts, and they are billed.
 */
import { isRecord } from "../values/records";

interface UsageDetails {
  /** Input that came from the upstream's cache. */
  readonly cachedInputTokens: number;
  /** Input that was written to the upstream's cache. */
  readonly cacheWriteTokens: number;
  /** Null when the upstream does not report them. */
  readonly reasoningTokens: number | null;
}

const isCount = (value: unknown): value is number =>
  Number.isSafeInteger(value) && Number(value) >= 0;
const memberOf = (value: unknown, name: string): unknown =>
  isRecord(value) ? value[name] : undefined;

/** The first of `values` that is a whole number from 0 on. */
export const countOf = (...values: unknown[]): number | null => values.find(isCount) ?? null;

/**
 * A part is a claim about its whole, so it never exceeds it: what is read from the cache first, then
 * what is written to it from the rest. A part that is no number is left out.
 */
export function usageDetails(
  usage: Readonly<Record<string, unknown>>,
  { inputTokens, outputTokens }: { inputTokens: number; outputTokens: number },
): UsageDetails {
  const cached = countOf(
    memberOf(usage.prompt_tokens_details, "cached_tokens"),
    memberOf(usage.input_tokens_details, "cached_tokens"),
    usage.prompt_cache_hit_tokens,
  );
  const written = countOf(
    memberOf(usage.prompt_tokens_details, "cache_creation_tokens"),
    memberOf(usage.input_tokens_details, "cache_write_tokens"),
  );
  const reasoning = countOf(
    memberOf(usage.completion_tokens_details, "reasoning_tokens"),
    memberOf(usage.output_tokens_details, "reasoning_tokens"),
  );
  const cachedInputTokens = Math.min(cached ?? 0, inputTokens);
  return {
    cachedInputTokens,
    cacheWriteTokens: Math.min(written ?? 0, inputTokens - cachedInputTokens),
    reasoningTokens: reasoning === null ? null : Math.min(reasoning, outputTokens),
  };
}
