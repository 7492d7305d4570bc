/** Reads the counts that dialects show from an upstream's usage report. */
import { countOf, usageDetails } from "../contract/usage-details";
import { isRecord } from "../values/records";

export interface UsageFigures {
  /** All of the input, with what came from the upstream's cache. */
  readonly inputTokens: number;
  readonly cachedTokens: number;
  /** What was written to the upstream's cache. */
  readonly cacheWrittenTokens: number;
  readonly outputTokens: number;
  /** Null when the upstream does not report them. */
  readonly reasoningTokens: number | null;
  /** The charge; null when it is not known. */
  readonly points: number | null;
}

/** Null when there is no report. A part never exceeds its whole. */
export function usageFigures(usage: unknown): UsageFigures | null {
  if (!isRecord(usage)) return null;
  const inputTokens = countOf(usage.prompt_tokens, usage.input_tokens) ?? 0;
  const outputTokens = countOf(usage.completion_tokens, usage.output_tokens) ?? 0;
  const parts = usageDetails(usage, { inputTokens, outputTokens });
  return {
    inputTokens,
    cachedTokens: parts.cachedInputTokens,
    cacheWrittenTokens: parts.cacheWriteTokens,
    outputTokens,
    reasoningTokens: parts.reasoningTokens,
    points: typeof usage.points === "number" ? usage.points : null,
  };
}
