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
  /** Other input that is sound. */
  readonly inputAudioTokens: number;
  /** Null when the upstream does not report them. */
  readonly reasoningTokens: number | null;
  /** Output that is spoken. */
  readonly audioTokens: number;
  /** Calls of the upstream's own tools. */
  readonly toolCalls: number;
}

/** More than any request makes. */
const TOOL_CALLS_REPORTED_MAX = 10_000;

const isCount = (value: unknown): value is number =>
  Number.isSafeInteger(value) && Number(value) >= 0;
const memberOf = (value: unknown, name: string): unknown =>
  isRecord(value) ? value[name] : undefined;

/** The first of `values` that is a whole number from 0 on. */
export const countOf = (...values: unknown[]): number | null => values.find(isCount) ?? null;

/** The calls of all tools, under the names that upstreams have for them. */
function toolCallsOf(usage: Readonly<Record<string, unknown>>): number {
  const lists = [usage.server_tool_use, usage.tool_usage].filter(isRecord);
  const counts = lists.flatMap((list) => Object.values(list).filter(isCount));
  const sum = counts.reduce((all, count) => all + count, 0);
  return Math.min(sum || (countOf(usage.num_search_queries) ?? 0), TOOL_CALLS_REPORTED_MAX);
}

/**
 * A part is a claim about its whole, so it never exceeds it: what is read from the cache first, then
 * what is written to it from the rest, then sound. A part that is no number is left out.
 */
export function usageDetails(
  usage: Readonly<Record<string, unknown>>,
  { inputTokens, outputTokens }: { inputTokens: number; outputTokens: number },
): UsageDetails {
  const cached = countOf(
    memberOf(usage.prompt_tokens_details, "cached_tokens"),
    memberOf(usage.input_tokens_details, "cached_tokens"),
    usage.prompt_cache_hit_tokens,
    usage.cached_tokens,
  );
  const written = countOf(
    memberOf(usage.prompt_tokens_details, "cache_creation_tokens"),
    memberOf(usage.prompt_tokens_details, "cache_creation_input_tokens"),
    memberOf(usage.prompt_tokens_details, "cache_write_tokens"),
    memberOf(usage.input_tokens_details, "cache_write_tokens"),
  );
  const reasoning = countOf(
    memberOf(usage.completion_tokens_details, "reasoning_tokens"),
    memberOf(usage.output_tokens_details, "reasoning_tokens"),
  );
  const reasoningTokens = reasoning === null ? null : Math.min(reasoning, outputTokens);
  const spoken = countOf(
    memberOf(usage.completion_tokens_details, "audio_tokens"),
    memberOf(usage.output_tokens_details, "audio_tokens"),
  );
  const heard = countOf(
    memberOf(usage.prompt_tokens_details, "audio_tokens"),
    memberOf(usage.input_tokens_details, "audio_tokens"),
  );
  const cachedInputTokens = Math.min(cached ?? 0, inputTokens);
  const cacheWriteTokens = Math.min(written ?? 0, inputTokens - cachedInputTokens);
  return {
    cachedInputTokens,
    cacheWriteTokens,
    inputAudioTokens: Math.min(heard ?? 0, inputTokens - cachedInputTokens - cacheWriteTokens),
    reasoningTokens,
    audioTokens: Math.min(spoken ?? 0, outputTokens - (reasoningTokens ?? 0)),
    toolCalls: toolCallsOf(usage),
  };
}
