/** The messages of a chat request as a conversation of the Messages API. */
import { withoutLastSpaces } from "../../dialects/blank-text";
import { messagesCallId } from "../../dialects/tool-names";
import type { JsonObject } from "../provider";
import { callBlocks, contentBlocks } from "./content-blocks";
import { objectsOf, textOf } from "./json-reading";

interface Turn {
  readonly role: "user" | "assistant";
  readonly content: JsonObject[];
}

interface Conversation {
  readonly system: JsonObject[];
  readonly messages: readonly Turn[];
}

const resultBlock = (message: JsonObject): JsonObject => ({
  type: "tool_result",
  // A legacy function call has no id, so its name is used as the id.
  tool_use_id: messagesCallId(message.tool_call_id ?? message.name),
  content: contentBlocks(message.content),
});

function blocksOf(message: JsonObject): JsonObject[] {
  if (message.role === "tool" || message.role === "function") return [resultBlock(message)];
  const said = contentBlocks(message.content);
  if (message.role !== "assistant") return said;
  return [...said, ...contentBlocks(textOf(message.refusal)), ...callBlocks(message)];
}

/** Instructions stand apart, and what one side says in a row is one turn. */
export function conversationOf(messages: unknown): Conversation {
  const system: JsonObject[] = [];
  const turns: Turn[] = [];
  for (const message of objectsOf(messages)) {
    if (message.role === "system" || message.role === "developer") {
      system.push(...contentBlocks(message.content));
      continue;
    }
    const content = blocksOf(message);
    if (content.length === 0) continue;
    const role = message.role === "assistant" ? "assistant" : "user";
    const last = turns.at(-1);
    if (last?.role === role) last.content.push(...content);
    else turns.push({ role, content });
  }
  // A conversation needs a turn: instructions alone are what the user says.
  if (turns.length === 0) return { system: [], messages: [{ role: "user", content: system }] };
  return { system, messages: withoutLastSpaces(turns) };
}
