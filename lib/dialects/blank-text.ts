/** Texts that an upstream of the Messages API refuses. */
import { isRecord } from "../values/records";
import type { JsonObject } from "./text-dialect";

/** Nothing, or nothing but spaces. */
export const isBlank = (text: unknown): boolean => typeof text === "string" && text.trim() === "";

interface Turn {
  readonly role: unknown;
  readonly content: JsonObject[];
}

/** Without the spaces at the end of what the model is to go on with. */
export function withoutLastSpaces<Message extends Turn>(messages: readonly Message[]): Message[] {
  const last = messages.at(-1);
  const text = last?.content.at(-1);
  if (last?.role !== "assistant" || !isRecord(text) || typeof text.text !== "string")
    return [...messages];
  const content = [...last.content.slice(0, -1), { ...text, text: text.text.trimEnd() }];
  return [...messages.slice(0, -1), { ...last, content }];
}
