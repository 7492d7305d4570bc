/** The `response` object: a whole answer, and a part of the events that begin and end a stream. */
import type { ResponsesRequest } from "../../contract/responses";
import type { AnswerContext, JsonObject } from "../text-dialect";
import { usageFigures } from "../usage-figures";
import type { failedError } from "./failure";
import { responseIdOf } from "./item-ids";

export type ResponsesContext = AnswerContext<ResponsesRequest>;

/** How far an answer is. */
export type Progress =
  | { readonly status: "in_progress" | "completed" }
  | { readonly status: "incomplete"; readonly reason: "max_output_tokens" | "content_filter" }
  | {
      readonly status: "failed";
      readonly error: ReturnType<typeof failedError>;
    };

/** What the last `finish_reason` of the upstream says about the answer. */
export function progressOf(finishReason: unknown): Progress {
  if (finishReason === "length") return { status: "incomplete", reason: "max_output_tokens" };
  if (finishReason === "content_filter") return { status: "incomplete", reason: "content_filter" };
  return { status: "completed" };
}

/** The upstream's report under this dialect's names; null when there is none. */
export function usageOf(reported: unknown): JsonObject | null {
  const figures = usageFigures(reported);
  if (figures === null) return null;
  const { inputTokens, cachedTokens, cacheWrittenTokens, outputTokens, reasoningTokens, points } =
    figures;
  return {
    input_tokens: inputTokens,
    input_tokens_details: { cached_tokens: cachedTokens, cache_write_tokens: cacheWrittenTokens },
    output_tokens: outputTokens,
    output_tokens_details: { reasoning_tokens: reasoningTokens ?? 0 },
    total_tokens: inputTokens + outputTokens,
    ...(points === null ? {} : { points }),
  };
}

/** The request's settings as they apply. */
function settingsOf(request: ResponsesRequest): JsonObject {
  const { text, reasoning } = request;
  return {
    background: request.background === true,
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
