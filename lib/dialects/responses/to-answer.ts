import { ofDetails, signaturesBefore } from "../carried";
import { type AnswerParts, answerParts, choiceOf } from "../chat-parts";
import type { JsonObject } from "../text-dialect";
import { compactionOutput, isCompaction } from "./compaction";
import {
  callIdOf,
  callItem,
  isCallable,
  logprobsOf,
  messageItem,
  reasoningItem,
  refusalPart,
  summaryPart,
  textPart,
} from "./output-items";
import { progressOf, type ResponsesContext, responseObject, usageOf } from "./response-object";
import { wantsLogprobs } from "./to-chat";
import { offeredTools } from "./tools";

function messageParts({ text, refusal }: AnswerParts, logprobs: readonly unknown[]): JsonObject[] {
  const parts = text === "" ? [] : [textPart(text, logprobs)];
  return refusal === "" ? parts : [...parts, refusalPart(refusal)];
}

function outputOf(
  { operationHex, request }: ResponsesContext,
  choice: JsonObject,
  isWhole: boolean,
): JsonObject[] {
  const said = answerParts(choice.message);
  const offered = offeredTools(request);
  const calls = said.toolCalls.flatMap(({ id, name, argumentsText: text, signature }) =>
    isCallable(name, offered) ? [{ id, upstreamName: name, text, signature }] : [],
  );
  /** The signatures before each call, which are sent as reasoning. */
  const carried = calls.map(({ signature }, at) =>
    signaturesBefore(at === 0, () => ofDetails(said.details), signature),
  );
  const parts = messageParts(said, wantsLogprobs(request) ? logprobsOf(choice) : []);
  const hasReasoning = said.reasoning !== "";
  // An answer without anything is an empty text.
  if (parts.length === 0 && calls.length === 0 && !hasReasoning) parts.push(textPart("", []));
  const count =
    (hasReasoning ? 1 : 0) + (parts.length === 0 ? 0 : 1) + calls.length + carried.flat().length;
  const statusAt = (index: number) =>
    isWhole || index < count - 1 ? ("completed" as const) : ("incomplete" as const);
  const output: JsonObject[] = [];
  if (hasReasoning)
    output.push(reasoningItem(operationHex, 0, statusAt(0), [summaryPart(said.reasoning)]));
  if (parts.length > 0)
    output.push(messageItem(operationHex, output.length, statusAt(output.length), parts));
  for (const [at, { id, upstreamName, text }] of calls.entries()) {
    for (const one of carried[at] ?? []) {
      const { length: place } = output;
      output.push(reasoningItem(operationHex, place, statusAt(place), [], one));
    }
    const { length: index } = output;
    const call = { callId: callIdOf(id, operationHex, index), upstreamName, text };
    output.push(callItem(operationHex, index, statusAt(index), call, offered.get(upstreamName)));
  }
  return output;
}

/** The response for a complete chat answer. */
export function toAnswer(chatAnswer: JsonObject, context: ResponsesContext): JsonObject {
  const choice = choiceOf(chatAnswer) ?? {};
  const progress = progressOf(choice.finish_reason);
  const output = isCompaction(context.request)
    ? compactionOutput(context.operationHex, answerParts(choice.message).text)
    : outputOf(context, choice, progress.status === "completed");
  return responseObject(context, progress, output, usageOf(chatAnswer.usage));
}
