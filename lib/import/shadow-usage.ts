/** What a line of a source's log used, as we count it. */
import { TOKENS_MAX } from "../contract/limits";
import type { TokenUsage } from "../pricing/usage";
import { saidIn } from "./ratios";
import { type SourceRow, whole } from "./sources/source";

const counted = (tokens: bigint | number): number =>
  Math.min(TOKENS_MAX, Math.max(0, Math.trunc(Number(tokens))));

const numberIn = (said: Record<string, unknown>, name: string): number => {
  const value = said[name];
  return typeof value === "number" && Number.isFinite(value) ? value : 0;
};

/** The Messages API counts what a cache has beside the input; all others count it in the input. */
export function shadowUsage(row: SourceRow): TokenUsage {
  const said = saidIn(row);
  const cached = counted(numberIn(said, "cache_tokens"));
  const times = ["cache_creation_tokens_5m", "cache_creation_tokens_1h"];
  const byTime = times.reduce((sum, name) => sum + numberIn(said, name), 0);
  // Some upstreams name only the parts, and the log their sum under another name.
  const wholes = ["cache_creation_tokens", "cache_write_tokens"].map((name) =>
    numberIn(said, name),
  );
  const written = counted(Math.max(byTime, ...wholes));
  const prompt = counted(whole(row, "prompt_tokens"));
  const inputTokens = said.claude === true ? counted(prompt + cached + written) : prompt;
  return {
    inputTokens,
    outputTokens: counted(whole(row, "completion_tokens")),
    cachedInputTokens: Math.min(cached, inputTokens),
    cacheWriteTokens: Math.min(written, Math.max(0, inputTokens - cached)),
  };
}
