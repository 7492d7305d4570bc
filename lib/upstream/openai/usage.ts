/**
 * Reads usage reports of OpenAI-compatible upstreams, in the places and under the names they are
 * known to use.
 */
import { usageDetails } from "../../contract/usage-details";
import type { JsonObject, ReportedUsage, UsageFault } from "../provider";
import { isStorableUsage, isTokenCount } from "../transport/answer-members";
import { asObject } from "../transport/upstream-json";

export type UsageReading =
  | { readonly usage: ReportedUsage; readonly fault: null }
  | { readonly usage: null; readonly fault: UsageFault };

const missing: UsageReading = { usage: null, fault: "missing" };
const absurd: UsageReading = { usage: null, fault: "absurd" };

/** The raw usage object of a body or a chunk; null when there is none. */
export function usageOf(body: JsonObject): unknown {
  if (body.usage !== undefined && body.usage !== null) return body.usage;
  const choice = Array.isArray(body.choices) ? asObject(body.choices[0]) : null;
  return choice?.usage ?? asObject(body.x_groq)?.usage ?? null;
}

/**
 * xAI counts what is thought beside the output, and all of it in the total: only where this says so, it is
 * output as everywhere else.
 */
function withReasoning(usage: JsonObject): JsonObject {
  const { prompt_tokens: input, completion_tokens: output, total_tokens: total } = usage;
  const thought = asObject(usage.completion_tokens_details)?.reasoning_tokens;
  const counts = [input, output, thought];
  if (!counts.every(isTokenCount) || thought === 0) return usage;
  const sum = counts.reduce((all, count) => all + count, 0);
  return total === sum ? { ...usage, completion_tokens: Number(output) + Number(thought) } : usage;
}

/**
 * Reads a raw usage object, and of what it came in the tier. Negative, fractional, textual or immense counts are `absurd`; they are
 * never corrected.
 */
export function readUsage(raw: unknown, { service_tier: tier }: JsonObject = {}): UsageReading {
  if (raw === null || raw === undefined) return missing;
  const given = asObject(raw);
  if (!given) return absurd;
  const usage = withReasoning(given);
  const inputTokens = usage.prompt_tokens ?? usage.input_tokens;
  const outputTokens = usage.completion_tokens ?? usage.output_tokens;
  if (inputTokens === undefined && outputTokens === undefined) return missing;
  if (!isTokenCount(inputTokens) || !isTokenCount(outputTokens)) return absurd;
  const reported = isStorableUsage(usage)
    ? usage
    : { prompt_tokens: inputTokens, completion_tokens: outputTokens };
  const read: { -readonly [Name in keyof ReportedUsage]: ReportedUsage[Name] } = {
    inputTokens,
    outputTokens,
    reported,
  };
  // A part of nothing is left out.
  const details = usageDetails(usage, read);
  const { cachedInputTokens, cacheWriteTokens, inputAudioTokens } = details;
  const { reasoningTokens, audioTokens, toolCalls } = details;
  if (cachedInputTokens > 0) read.cachedInputTokens = cachedInputTokens;
  if (cacheWriteTokens > 0) read.cacheWriteTokens = cacheWriteTokens;
  if (inputAudioTokens > 0) read.inputAudioTokens = inputAudioTokens;
  if (reasoningTokens) read.reasoningTokens = reasoningTokens;
  if (audioTokens > 0) read.audioTokens = audioTokens;
  if (toolCalls > 0) read.toolCalls = toolCalls;
  if (typeof tier === "string") read.tier = { service_tier: tier };
  return { usage: read, fault: null };
}
