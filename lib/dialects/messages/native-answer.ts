/** An answer of an upstream that speaks the same API: as it came, under our id, model and usage. */
import { finishOf, stopReasonByFinish } from "../../contract/finish-reasons";
import { isRecord } from "../../records";
import type { JsonObject } from "../text-dialect";
import { type Context, envelopeOf, usageOf } from "./answer-words";

/** A reason that this API does not have here is the nearest one. */
export function endOf({ stop_reason: reason, stop_sequence: sequence }: JsonObject): JsonObject {
  return {
    stop_reason: reason === "stop_sequence" ? reason : stopReasonByFinish[finishOf(reason)],
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
