/** A chat answer as an answer of the Messages API. */
import type { MessagesResponse } from "../../contract/messages";
import { membersIn } from "../../values/json-in";
import { ofDetails, signaturesBefore } from "../carried";
import { answerParts, choiceOf } from "../chat-parts";
import type { JsonObject } from "../text-dialect";
import {
  type Context,
  envelopeOf,
  OWN_SIGNATURE,
  stopReasonOf,
  stopSequenceOf,
  toolIdOf,
  usageOf,
} from "./answer-words";

export function toAnswer(chatAnswer: JsonObject, context: Context): MessagesResponse {
  const choice = choiceOf(chatAnswer) ?? {};
  const { reasoning, text, refusal, toolCalls, details } = answerParts(choice.message);
  const said = `${text}${refusal}`;
  const content: MessagesResponse["content"] = [];
  if (reasoning !== "")
    content.push({ type: "thinking", thinking: reasoning, signature: OWN_SIGNATURE });
  if (said !== "") content.push({ type: "text", text: said });
  for (const [at, { id, name, argumentsText, signature: own }] of toolCalls.entries()) {
    for (const signature of signaturesBefore(at === 0, () => ofDetails(details), own))
      content.push({ type: "thinking", thinking: "", signature });
    content.push({
      type: "tool_use",
      id: toolIdOf(id, context, at),
      name: name ?? "",
      input: membersIn(argumentsText),
    });
  }
  const stopSequence = stopSequenceOf(choice, context);
  return {
    ...envelopeOf(context),
    content,
    stop_reason: stopReasonOf({
      finishReason: choice.finish_reason,
      hasRefusal: refusal !== "",
      stopSequence,
    }),
    stop_sequence: stopSequence,
    stop_details: null,
    container: null,
    usage: usageOf(chatAnswer.usage),
  };
}
