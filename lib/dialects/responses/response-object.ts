/** The `response` object: a whole answer, and a part of the events that begin and end a stream. */
import type { ResponsesRequest } from "../../contract/responses";
import { isRecord } from "../../records";
import type { AnswerContext, JsonObject } from "../text-dialect";
import { responseIdOf } from "./item-ids";

export type ResponsesContext = AnswerContext<ResponsesRequest>;

/** How far an answer is. */
export type Progress =
  | { readonly status: "in_progress" | "completed" }
  | { readonly status: "incomplete"; readonly reason: "max_output_tokens" | "content_filter" }
  | {
      readonly status: "failed";
      readonly error: { readonly code: string; readonly message: string };
    };

/** What the last `finish_reason` of the upstream says about the answer. */
export function progressOf(finishReason: unknown): Progress {
  if (finishReason === "length") return { status: "incomplete", reason: "max_output_tokens" };
  if (finishReason === "content_filter") return { status: "incomplete", reason: "content_filter" };
  return { status: "completed" };
}

const count = (value: unknown): number =>
  typeof value === "number" && Number.isSafeInteger(value) && value >= 0 ? value : 0;

/** The upstream's report under this dialect's names; null when there is none. */
export function usageOf(reported: unknown): JsonObject | null {
  if (!isRecord(reported)) return null;
  const input = isRecord(reported.prompt_tokens_details) ? reported.prompt_tokens_details : {};
  const output = isRecord(reported.completion_tokens_details)
    ? reported.completion_tokens_details
    : {};
  const inputTokens = count(reported.prompt_tokens ?? reported.input_tokens);
  const outputTokens = count(reported.completion_tokens ?? reported.output_tokens);
  const usage: JsonObject = {
    input_tokens: inputTokens,
    input_tokens_details: {
      cached_tokens: count(input.cached_tokens ?? reported.prompt_cache_hit_tokens),
      cache_write_tokens: count(input.cache_write_tokens),
    },
    output_tokens: outputTokens,
    output_tokens_details: { reasoning_tokens: count(output.reasoning_tokens) },
    total_tokens: inputTokens + outputTokens,
  };
  if (typeof reported.points === "number") usage.points = reported.points;
  return usage;
}

/** The request's settings as they apply. */
function settingsOf(request: ResponsesRequest): JsonObject {
  const { text, reasoning } = request;
  return {
    background: false,
    instructions: request.instructions ?? null,
    max_output_tokens: request.max_output_tokens ?? null,
    metadata: request.metadata ?? {},
    parallel_tool_calls: request.parallel_tool_calls ?? true,
    previous_response_id: request.previous_response_id ?? null,
    prompt_cache_key: request.prompt_cache_key ?? null,
    reasoning: { effort: reasoning?.effort ?? null, summary: reasoning?.summary ?? null },
    safety_identifier: request.safety_identifier ?? null,
    service_tier: "default",
    store: request.store !== false,
    temperature: request.temperature ?? null,
    text: { ...text, format: text?.format ?? { type: "text" } },
    tool_choice: request.tool_choice ?? "auto",
    tools: request.tools ?? [],
    top_logprobs: request.top_logprobs ?? 0,
    top_p: request.top_p ?? null,
    truncation: "disabled",
    user: request.user ?? null,
  };
}

export function responseObject(
  context: ResponsesContext,
  progress: Progress,
  output: readonly JsonObject[],
  usage: JsonObject | null,
): JsonObject {
  return {
    id: responseIdOf(context.operationHex),
    object: "response",
    created_at: context.createdSeconds,
    status: progress.status,
    error: progress.status === "failed" ? progress.error : null,
    incomplete_details: progress.status === "incomplete" ? { reason: progress.reason } : null,
    model: context.model,
    output,
    ...settingsOf(context.request),
    usage,
  };
}
