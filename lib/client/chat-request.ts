/** The request that a conversation is sent as. */
import { jsonIn } from "../values/json-in";
import type { ChatPart, ChatSent } from "./chat-stream";
import type { ChatSettings, Turn } from "./kept-conversation";

/** The functions a model may call, as they were written; null where that is no list of them. */
export function readTools(text: string): object[] | null {
  if (text.trim() === "") return [];
  const value = jsonIn(text);
  const isList = Array.isArray(value) && value.every((each) => each && typeof each === "object");
  return isList ? value : null;
}

function contentOf({ text, images = [] }: Turn): string | ChatPart[] {
  if (images.length === 0) return text;
  return [
    ...(text === "" ? [] : [{ type: "text" as const, text }]),
    ...images.map((url) => ({ type: "image_url" as const, image_url: { url } })),
  ];
}

export function chatRequestOf(
  { system, toolsText = "", isJson = false, others: _, ...settings }: ChatSettings,
  turns: readonly Turn[],
): ChatSent {
  const messages = turns
    .filter(({ text, images = [], isRival }) => !isRival && (text !== "" || images.length > 0))
    .map((turn) => ({ role: turn.role, content: contentOf(turn) }));
  const tools = readTools(toolsText) ?? [];
  return {
    ...settings,
    ...(isJson ? { response_format: { type: "json_object" } } : {}),
    ...(tools.length > 0 ? { tools } : {}),
    messages: system.trim() === "" ? messages : [{ role: "system", content: system }, ...messages],
  };
}

/** The conversation as text to keep elsewhere. */
export function conversationText(
  turns: readonly Turn[],
  names: { you: string; model: string },
): string {
  return turns
    .filter(({ text }) => text !== "")
    .map(({ role, text, order }) => {
      const name = role === "user" ? names.you : (order?.settings.model ?? names.model);
      return `## ${name}\n\n${text}\n`;
    })
    .join("\n");
}
