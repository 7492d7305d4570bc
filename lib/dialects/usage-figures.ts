/** Reads the counts that dialects show from an upstream's usage report. */
import { isRecord } from "../records";

export interface UsageFigures {
  /** All of the input, with what came from the upstream's cache. */
  readonly inputTokens: number;
  readonly cachedTokens: number;
  /** What was written to the upstream's cache. */
  readonly cacheWrittenTokens: number;
  readonly outputTokens: number;
  /** Null when the upstream does not count them apart. */
  readonly reasoningTokens: number | null;
  /** The charge; null when it is not known. */
  readonly points: number | null;
}

const isCount = (value: unknown): value is number =>
  Number.isSafeInteger(value) && Number(value) >= 0;
const countOf = (...values: unknown[]): number | null => values.find(isCount) ?? null;

const memberOf = (value: unknown, name: string): unknown =>
  isRecord(value) ? value[name] : undefined;

/** Null when there is no report. A part never exceeds its whole. */
export function usageFigures(usage: unknown): UsageFigures | null {
  if (!isRecord(usage)) return null;
  const inputTokens = countOf(usage.prompt_tokens, usage.input_tokens) ?? 0;
  const outputTokens = countOf(usage.completion_tokens, usage.output_tokens) ?? 0;
  const cached = countOf(
    memberOf(usage.prompt_tokens_details, "cached_tokens"),
    memberOf(usage.input_tokens_details, "cached_tokens"),
    usage.prompt_cache_hit_tokens,
  );
  const written = countOf(memberOf(usage.prompt_tokens_details, "cache_creation_tokens"));
  const cachedTokens = Math.min(cached ?? 0, inputTokens);
  const reasoning = countOf(
    memberOf(usage.completion_tokens_details, "reasoning_tokens"),
    memberOf(usage.output_tokens_details, "reasoning_tokens"),
  );
  return {
    inputTokens,
    cachedTokens,
    cacheWrittenTokens: Math.min(written ?? 0, inputTokens - cachedTokens),
    outputTokens,
    reasoningTokens: reasoning === null ? null : Math.min(reasoning, outputTokens),
    points: typeof usage.points === "number" ? usage.points : null,
  };
}
