/** Reads usage reports of the Messages API. */
import { reportedTier } from "../../contract/text-tiers";
import { usageDetails } from "../../contract/usage-details";
import type { JsonObject, ReportedUsage, UsageFault } from "../provider";
import { isTokenCount } from "../transport/answer-members";
import { asObject } from "../transport/upstream-json";

export interface UsageReading {
  readonly usage: ReportedUsage | null;
  readonly fault: UsageFault | null;
}

const missing: UsageReading = { usage: null, fault: "missing" };
const absurd: UsageReading = { usage: null, fault: "absurd" };

/** The later report wins, member by member: `message_delta` repeats only some of them. */
export function mergedUsage(earlier: unknown, later: unknown): unknown {
  const [one, other] = [asObject(earlier), asObject(later)];
  if (one === null || other === null) return later ?? earlier;
  const said = Object.entries(other).filter(([, value]) => value !== null);
  return { ...one, ...Object.fromEntries(said) };
}

/** The count of a member that may be absent; NaN when it is no count. */
function partOf(usage: JsonObject, name: string): number {
  const value = usage[name] ?? 0;
  return isTokenCount(value) ? value : Number.NaN;
}

const counted = [
  "input_tokens",
  "cache_read_input_tokens",
  "cache_creation_input_tokens",
  "output_tokens",
] as const;

/** The counts of all turns, where the report has them one by one: the whole has only those of the last. */
function withTurns(usage: JsonObject): JsonObject {
  const turns = Array.isArray(usage.iterations) ? usage.iterations.map(asObject) : [];
  const sums = counted.map((name) => {
    const sum = turns.reduce((all, turn) => all + partOf(turn ?? {}, name), 0);
    return [name, sum] as const;
  });
  const isMore = sums.some(([name, sum]) => sum > partOf(usage, name));
  return isMore ? { ...usage, ...Object.fromEntries(sums) } : usage;
}

/**
 * All input counts, from a cache or written to one too. The report has the names of a chat answer,
 * so that every client and the ledger see it as they see any other.
 */
export function readUsage(raw: unknown): UsageReading {
  if (raw === null || raw === undefined) return missing;
  const given = asObject(raw);
  if (given === null) return absurd;
  const usage = withTurns(given);
  const { input_tokens: fresh, output_tokens: outputTokens } = usage;
  if (fresh === undefined && outputTokens === undefined) return missing;
  const cached = partOf(usage, "cache_read_input_tokens");
  const written = partOf(usage, "cache_creation_input_tokens");
  if (!isTokenCount(fresh) || !isTokenCount(outputTokens)) return absurd;
  const inputTokens = fresh + cached + written;
  if (!isTokenCount(inputTokens)) return absurd;
  const thought = Math.min(
    partOf(asObject(usage.output_tokens_details) ?? {}, "thinking_tokens"),
    outputTokens,
  );
  const reasoningTokens = Number.isNaN(thought) ? 0 : thought;
  const { toolCalls } = usageDetails(usage, { inputTokens, outputTokens });
  const tier = reportedTier(usage);
  const tools = asObject(usage.server_tool_use);
  const reported = {
    prompt_tokens: inputTokens,
    completion_tokens: outputTokens,
    total_tokens: inputTokens + outputTokens,
    prompt_tokens_details: { cached_tokens: cached, cache_creation_tokens: written },
    ...(reasoningTokens > 0 && {
      completion_tokens_details: { reasoning_tokens: reasoningTokens },
    }),
    ...(toolCalls > 0 && tools !== null && { server_tool_use: tools }),
  };
  const whole = { inputTokens, outputTokens, reported };
  return {
    usage: {
      ...whole,
      ...(cached > 0 && { cachedInputTokens: cached }),
      ...(written > 0 && { cacheWriteTokens: written }),
      ...(reasoningTokens > 0 && { reasoningTokens }),
      ...(toolCalls > 0 && { toolCalls }),
      ...(Object.keys(tier).length > 0 && { tier }),
    },
    fault: null,
  };
}
