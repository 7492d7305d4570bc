import { isRecord } from "../../records";
import type { JsonObject } from "../text-dialect";
import {
  callIdOf,
  callItem,
  contentText,
  isCallable,
  logprobsOf,
  messageItem,
  reasoningItem,
  reasoningText,
  refusalPart,
  stringOr,
  summaryPart,
  textPart,
} from "./output-items";
import { progressOf, type ResponsesContext, responseObject, usageOf } from "./response-object";
import { wantsLogprobs } from "./to-chat";
import { offeredTools } from "./tools";

function messageParts(choice: JsonObject, message: JsonObject, isAsked: boolean): JsonObject[] {
  const text = contentText(message.content);
  const refusal = stringOr(message.refusal);
  const parts = text === "" ? [] : [textPart(text, isAsked ? logprobsOf(choice) : [])];
  return refusal === "" ? parts : [...parts, refusalPart(refusal)];
}

function callsOf({ tool_calls: calls }: JsonObject) {
  return (Array.isArray(calls) ? calls : []).filter(isRecord).map(({ id, function: called }) => {
    const { name, arguments: text } = isRecord(called) ? called : {};
    return { givenId: stringOr(id), upstreamName: stringOr(name), text: stringOr(text) };
  });
}

function outputOf(
  { operationHex, request }: ResponsesContext,
  choice: JsonObject,
  isWhole: boolean,
): JsonObject[] {
  const message = isRecord(choice.message) ? choice.message : {};
  const offered = offeredTools(request);
  const calls = callsOf(message).filter(({ upstreamName }) => isCallable(upstreamName, offered));
  const reasoning = reasoningText(message);
  const parts = messageParts(choice, message, wantsLogprobs(request));
  // An answer without anything is an empty text.
  if (parts.length === 0 && calls.length === 0 && reasoning === "") parts.push(textPart("", []));
  const count = (reasoning === "" ? 0 : 1) + (parts.length === 0 ? 0 : 1) + calls.length;
  const statusAt = (index: number) =>
    isWhole || index < count - 1 ? ("completed" as const) : ("incomplete" as const);
  const output: JsonObject[] = [];
  if (reasoning !== "")
    output.push(reasoningItem(operationHex, 0, statusAt(0), [summaryPart(reasoning)]));
  if (parts.length > 0)
    output.push(messageItem(operationHex, output.length, statusAt(output.length), parts));
  for (const { givenId, upstreamName, text } of calls) {
    const { length: index } = output;
    const callId = callIdOf(givenId, operationHex, index);
    const call = { callId, upstreamName, text };
    output.push(callItem(operationHex, index, statusAt(index), call, offered.get(upstreamName)));
  }
  return output;
}

/** The response for a complete chat answer. */
export function toAnswer(chatAnswer: JsonObject, context: ResponsesContext): JsonObject {
  const [first]: unknown[] = Array.isArray(chatAnswer.choices) ? chatAnswer.choices : [];
  const choice = isRecord(first) ? first : {};
  const progress = progressOf(choice.finish_reason);
  const output = outputOf(context, choice, progress.status === "completed");
  return responseObject(context, progress, output, usageOf(chatAnswer.usage));
}
