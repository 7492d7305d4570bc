/** The items of an answer's output, as they are in a plain answer and at the end of a stream. */
import { TOOL_CALL_ID_LENGTH_MAX, TOOL_NAME_LENGTH_MAX } from "../../contract/limits";
import { membersIn } from "../../values/json-in";
import { isRecord } from "../../values/records";
import type { JsonObject } from "../text-dialect";
import { outputItemId } from "./item-ids";
import { customInput, type OfferedTool } from "./tools";

export type ItemStatus = "in_progress" | "completed" | "incomplete";

export const textPart = (text: string, logprobs: readonly unknown[]): JsonObject => ({
  type: "output_text",
  text,
  annotations: [],
  logprobs,
});

export const refusalPart = (refusal: string): JsonObject => ({ type: "refusal", refusal });

export const summaryPart = (text: string): JsonObject => ({ type: "summary_text", text });

export const messageItem = (
  operationHex: string,
  index: number,
  status: ItemStatus,
  content: readonly JsonObject[],
): JsonObject => ({
  id: outputItemId("message", operationHex, index),
  type: "message",
  status,
  role: "assistant",
  content,
});

export const reasoningItem = (
  operationHex: string,
  index: number,
  status: ItemStatus,
  summary: readonly JsonObject[],
  signature: string | null = null,
): JsonObject => ({
  id: outputItemId("reasoning", operationHex, index),
  type: "reasoning",
  status,
  summary,
  // What signs the thinking before a call.
  ...(signature === null ? {} : { encrypted_content: signature }),
});

export interface ToolCall {
  readonly callId: string;
  readonly upstreamName: string;
  readonly text: string;
}

/**
 * A call in the form of the tool that the client offered. A name that nobody offered is a
 * function's.
 */
export function callItem(
  operationHex: string,
  index: number,
  status: ItemStatus,
  { callId, upstreamName, text }: ToolCall,
  offered: OfferedTool | undefined,
): JsonObject {
  if (offered?.kind === "search") {
    const id = outputItemId("tool_search_call", operationHex, index);
    // What is not whole yet is an object without members.
    const search = { execution: "client", arguments: membersIn(text) };
    return { id, type: "tool_search_call", status, call_id: callId, ...search };
  }
  const item: JsonObject = { call_id: callId, name: offered?.name ?? upstreamName };
  if (offered?.namespace) item.namespace = offered.namespace;
  if (offered?.kind === "custom") {
    const id = outputItemId("custom_tool_call", operationHex, index);
    return { id, type: "custom_tool_call", status, ...item, input: customInput(text) };
  }
  const id = outputItemId("function_call", operationHex, index);
  return { id, type: "function_call", status, ...item, arguments: text };
}

/** An id for a call to which the upstream gave none that can be sent back. */
export const callIdOf = (given: string | null, operationHex: string, index: number): string =>
  given === null || given.length > TOOL_CALL_ID_LENGTH_MAX
    ? `call_${operationHex}_${index}`
    : given;

/** Whether a call of this name can be sent back. */
export const isCallable = (
  upstreamName: string | null,
  offered: ReadonlyMap<string, unknown>,
): upstreamName is string =>
  upstreamName !== null &&
  (offered.has(upstreamName) || upstreamName.length <= TOOL_NAME_LENGTH_MAX);

/** The probabilities of a choice's tokens, which have the same form in both dialects. */
export function logprobsOf(choice: JsonObject): readonly unknown[] {
  const content = isRecord(choice.logprobs) ? choice.logprobs.content : null;
  return Array.isArray(content) ? content : [];
}
