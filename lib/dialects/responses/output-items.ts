/** The items of an answer's output, as they are in a plain answer and at the end of a stream. */
import { TOOL_CALL_ID_LENGTH_MAX, TOOL_NAME_LENGTH_MAX } from "../../contract/limits";
import { isRecord } from "../../records";
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
): JsonObject => ({
  id: outputItemId("reasoning", operationHex, index),
  type: "reasoning",
  status,
  summary,
});

/** A call of a tool as the upstream made it. */
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
export const callIdOf = (given: string, operationHex: string, index: number): string =>
  given === "" || given.length > TOOL_CALL_ID_LENGTH_MAX ? `call_${operationHex}_${index}` : given;

/** Whether a call of this name can be sent back. */
export const isCallable = (upstreamName: string, offered: ReadonlyMap<string, unknown>): boolean =>
  offered.has(upstreamName) || (upstreamName !== "" && upstreamName.length <= TOOL_NAME_LENGTH_MAX);

export const stringOr = (value: unknown): string => (typeof value === "string" ? value : "");

/** The text of a message's or a delta's content; empty when it has none. */
export function contentText(content: unknown): string {
  if (typeof content === "string") return content;
  if (!Array.isArray(content)) return "";
  return content
    .map((part: unknown) => (isRecord(part) && typeof part.text === "string" ? part.text : ""))
    .join("");
}

/** The reasoning of a message or a delta, under the names that upstreams use. */
export function reasoningText({ reasoning_content: content, reasoning }: JsonObject): string {
  if (typeof content === "string" && content !== "") return content;
  return typeof reasoning === "string" ? reasoning : "";
}

/** The probabilities of a choice's tokens, which have the same form in both dialects. */
export function logprobsOf(choice: JsonObject): readonly unknown[] {
  const content = isRecord(choice.logprobs) ? choice.logprobs.content : null;
  return Array.isArray(content) ? content : [];
}
