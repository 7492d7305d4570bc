/** An answer of an upstream that speaks the same API: as it came, under our id, model and usage. */
import { isRecord } from "../../values/records";
import type { JsonObject } from "../text-dialect";
import { nativeItemId, responseIdOf } from "./item-ids";
import { type ResponsesContext, usageOf } from "./response-object";

/** `response.usage` is the report as chat has it, with the charge. */
export function nativeAnswer(response: JsonObject, context: ResponsesContext): JsonObject {
  const { request, operationHex } = context;
  const output: unknown[] = Array.isArray(response.output) ? response.output : [];
  return {
    error: null,
    incomplete_details: null,
    ...response,
    id: responseIdOf(operationHex),
    object: "response",
    created_at: context.createdSeconds,
    model: context.model,
    output: output
      .filter(isRecord)
      .map((item, at) => ({ ...item, id: nativeItemId(item.type, operationHex, at) })),
    metadata: request.metadata ?? {},
    previous_response_id: request.previous_response_id ?? null,
    store: request.store !== false,
    ...(request.background && { background: true }),
    usage: usageOf(response.usage),
  };
}
