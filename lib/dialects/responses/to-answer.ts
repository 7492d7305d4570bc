import { isRecord } from "../../records";
import type { JsonObject } from "../text-dialect";
import {
  callIdOf,
  callItem,
  contentText,
  logprobsOf,
  messageItem,
  reasoningItem,
  reasoningText,
  refusalPart,
  summaryPart,
  textPart,
} from "./output-items";
import { progressOf, type ResponsesContext, responseObject, usageOf } from "./response-object";
import { wantsLogprobs } from "./to-chat";
import { offeredTools } from "./tools";

function messageParts(choice: JsonObject, message: JsonObject, isAsked: boolean): JsonObject[] {
  const text = contentText(message.content);
  const refusal = typeof message.refusal === "string" ? message.refusal : "";
  const parts = text === "" ? [] : [textPart(text, isAsked ? logprobsOf(choice) : [])];
  return refusal === "" ? parts : [...parts, refusalPart(refusal)];
}

function outputOf(
  { operationHex, request }: ResponsesContext,
  choice: JsonObject,
  isWhole: boolean,
): JsonObject[] {
  const message = isRecord(choice.message) ? choice.message : {};
  const calls = (Array.isArray(message.tool_calls) ? message.tool_calls : []).filter(isRecord);
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
  const offered = offeredTools(request);
  for (const call of calls) {
    const { length: index } = output;
    const called = isRecord(call.function) ? call.function : {};
    const upstreamName = typeof called.name === "string" ? called.name : "";
    const text = typeof called.arguments === "string" ? called.arguments : "";
    const callId = callIdOf(call.id, operationHex, index);
    output.push(
      callItem(
        operationHex,
        index,
        statusAt(index),
        { callId, upstreamName, text },
        offered.get(upstreamName),
      ),
    );
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
