/** A whole message as the events in which a stream would have brought it. */
import type { JsonObject } from "../provider";
import { objectsOf } from "./json-reading";

const beginOf = (block: JsonObject): JsonObject =>
  block.type === "text"
    ? { ...block, text: "" }
    : block.type === "thinking"
      ? { ...block, thinking: "", signature: "" }
      : block;

function deltasOf({ type, text, thinking, signature }: JsonObject): JsonObject[] {
  if (type === "text") return [{ type: "text_delta", text }];
  if (type !== "thinking") return [];
  const thought = { type: "thinking_delta", thinking };
  return typeof signature === "string"
    ? [thought, { type: "signature_delta", signature }]
    : [thought];
}

export function eventsOfMessage(message: JsonObject): JsonObject[] {
  const { content, stop_reason, stop_sequence = null, usage, ...head } = message;
  const begun = { ...head, content: [], stop_reason: null, stop_sequence: null, usage };
  return [
    { type: "message_start", message: begun },
    ...objectsOf(content).flatMap((block, index) => [
      { type: "content_block_start", index, content_block: beginOf(block) },
      ...deltasOf(block).map((delta) => ({ type: "content_block_delta", index, delta })),
      { type: "content_block_stop", index },
    ]),
    { type: "message_delta", delta: { stop_reason, stop_sequence }, usage },
    { type: "message_stop" },
  ];
}
