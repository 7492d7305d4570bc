/** An answer of an upstream that speaks the same API: as it came, under our id, model and usage. */
import { isRecord } from "../../records";
import type { JsonObject } from "../text-dialect";
import { type Context, envelopeOf, usageOf } from "./answer-words";

const stopReasons: ReadonlySet<unknown> = new Set([
  "end_turn",
  "max_tokens",
  "stop_sequence",
  "tool_use",
  "refusal",
]);

/** A reason that this API does not have here is the nearest one. */
export function endOf({ stop_reason: reason, stop_sequence: sequence }: JsonObject): JsonObject {
  const other = reason === "model_context_window_exceeded" ? "max_tokens" : "end_turn";
  return {
    stop_reason: stopReasons.has(reason) ? reason : other,
    stop_sequence: typeof sequence === "string" ? sequence : null,
    stop_details: null,
    container: null,
  };
}

/** `message.usage` is the report as chat has it, with the charge. */
export function nativeAnswer(message: JsonObject, context: Context): JsonObject {
  const content: unknown[] = Array.isArray(message.content) ? message.content : [];
  return {
    ...envelopeOf(context),
    content: content.filter(isRecord),
    ...endOf(message),
    usage: usageOf(message.usage),
  };
}
