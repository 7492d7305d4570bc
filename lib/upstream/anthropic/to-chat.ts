/** An answer of the Messages API as a chat answer. */
import { finishOf } from "../../contract/finish-reasons";
import type { JsonObject } from "../provider";
import { objectsOf, textOf } from "./json-reading";

/** The end of an answer as a choice says it. The sequence that ended it is said where known. */
export function endingOf({ stop_reason: reason, stop_sequence: sequence }: JsonObject): JsonObject {
  return {
    finish_reason: finishOf(reason),
    ...(typeof sequence === "string" ? { stop_reason: sequence } : {}),
  };
}

const joined = (blocks: readonly JsonObject[], type: string): string =>
  blocks.map((block) => (block.type === type ? textOf(block[type]) : "")).join("");

/** `message.content` is known to be an array. */
export function toChatAnswer(message: JsonObject): JsonObject {
  const blocks = objectsOf(message.content);
  const calls = blocks
    .filter(({ type }) => type === "tool_use")
    .map(({ id, name, input }) => ({
      id: textOf(id),
      type: "function",
      function: { name: textOf(name), arguments: JSON.stringify(input ?? {}) },
    }));
  const [text, thinking] = [joined(blocks, "text"), joined(blocks, "thinking")];
  const said = {
    role: "assistant",
    content: text === "" && calls.length > 0 ? null : text,
    ...(thinking === "" ? {} : { reasoning_content: thinking }),
    ...(calls.length > 0 ? { tool_calls: calls } : {}),
  };
  return {
    id: message.id,
    object: "chat.completion",
    created: Math.floor(Date.now() / 1000),
    model: message.model,
    choices: [{ index: 0, message: said, ...endingOf(message) }],
  };
}
