/** Turns for an upstream that takes those of the user and of the model only one after the other. */
import type { JsonObject } from "./provider";

/** Between the result of a tool and what the user says then. */
const BETWEEN = "Understood.";

const partsOf = (content: unknown): unknown[] => {
  if (Array.isArray(content)) return content;
  return typeof content === "string" && content !== "" ? [{ type: "text", text: content }] : [];
};

/** What is said in both. */
function joinedContent(first: unknown, second: unknown): unknown {
  if ((first ?? "") === "") return second;
  if ((second ?? "") === "") return first;
  return typeof first === "string" && typeof second === "string"
    ? `${first}\n\n${second}`
    : [...partsOf(first), ...partsOf(second)];
}

const isTurn = ({ role }: JsonObject) => role === "user" || role === "assistant";

/** Results must follow their calls, so nothing is added behind these. */
const isJoined = (last: JsonObject, next: JsonObject) =>
  isTurn(next) && last.role === next.role && last.tool_calls === undefined;

export function inTurns(messages: readonly JsonObject[]): JsonObject[] {
  const all: JsonObject[] = [];
  for (const message of messages) {
    const last = all.at(-1);
    if (last !== undefined && isJoined(last, message)) {
      const content = joinedContent(last.content, message.content);
      all.splice(-1, 1, { ...last, ...message, content });
    } else if (last?.role === "tool" && message.role === "user")
      all.push({ role: "assistant", content: BETWEEN }, message);
    else all.push(message);
  }
  return all;
}
