/** The parts of a chat answer or a chat chunk. */
import { isRecord } from "../values/records";
import { ofCall } from "./carried";
import type { JsonObject } from "./text-dialect";

/** A call of a tool, or a piece of one. */
export interface ToolCallPart {
  /** Which of the answer's calls it belongs to. In a stream they come one after the other. */
  readonly index: number;
  /** Both are in the first piece of a call. */
  readonly id: string | null;
  readonly name: string | null;
  /** JSON text, or a piece of it. */
  readonly argumentsText: string;
  /** What signs the thinking before it, in its first piece. */
  readonly signature: string | null;
}

export interface AnswerParts {
  readonly reasoning: string;
  readonly text: string;
  readonly refusal: string;
  readonly toolCalls: readonly ToolCallPart[];
  /** Of the thinking, as OpenRouter has them. */
  readonly details: readonly unknown[];
}

const textOrNull = (value: unknown): string | null =>
  typeof value === "string" && value !== "" ? value : null;

/** The members of a message or of a delta that are text. */
const textNames = ["content", "reasoning_content", "reasoning", "refusal"] as const;

const isText = (value: unknown) =>
  value === undefined || value === null || typeof value === "string";

export const hasTexts = (said: JsonObject): boolean =>
  isText(said.content) &&
  isText(said.reasoning_content) &&
  isText(said.reasoning) &&
  isText(said.refusal);

/** Whether a member says anything. */
export const hasSome = (said: JsonObject): boolean =>
  Object.values(said).some((value) => value !== null && value !== undefined && value !== "");

/** The texts of the parts of a content: what is said, or what is thought. */
function joined(parts: readonly unknown[], isThought: boolean): string {
  const texts = parts.map((part): string => {
    if (typeof part === "string") return isThought ? "" : part;
    if (!isRecord(part)) return "";
    if (isThought !== (part.type === "thinking" || part.type === "reasoning")) return "";
    const { text = part.thinking ?? part.reasoning } = part;
    return Array.isArray(text) ? joined(text, false) : (textOrNull(text) ?? "");
  });
  return texts.join("");
}

/** Turns what upstreams send as text, such as parts and numbers, into text. All else is left out. */
export function mendTexts(said: JsonObject): void {
  const { content } = said;
  if (Array.isArray(content)) {
    const thought = joined(content, true);
    said.content = joined(content, false);
    if (thought !== "") said.reasoning_content ??= thought;
  }
  for (const name of textNames) {
    const value = said[name];
    if (typeof value === "number") said[name] = String(value);
    else if (!isText(value)) delete said[name];
  }
}

export const lengthOf = (said: JsonObject): number =>
  textNames.reduce((sum, name) => sum + (textOrNull(said[name])?.length ?? 0), 0);

/** The members of both, with the texts of the first before those of the second. */
export function joinedTexts(first: JsonObject, second: JsonObject): JsonObject {
  const all = { ...first, ...second };
  for (const name of textNames) {
    const text = `${textOrNull(first[name]) ?? ""}${textOrNull(second[name]) ?? ""}`;
    if (text !== "") all[name] = text;
  }
  return all;
}

function toolCallOf(value: unknown): ToolCallPart[] {
  if (!isRecord(value)) return [];
  const called = isRecord(value.function) ? value.function : {};
  const { index = 0 } = value;
  return [
    {
      index: Number(index),
      id: textOrNull(value.id),
      name: textOrNull(called.name),
      argumentsText: textOrNull(called.arguments) ?? "",
      signature: ofCall(value),
    },
  ];
}

const none: readonly unknown[] = [];
const nothing: AnswerParts = { reasoning: "", text: "", refusal: "", toolCalls: [], details: none };

/** The parts of a message or of a delta in canonical form. */
export function answerParts(message: unknown): AnswerParts {
  if (!isRecord(message)) return nothing;
  const { tool_calls: calls, reasoning_details: details } = message;
  return {
    reasoning: textOrNull(message.reasoning_content) ?? textOrNull(message.reasoning) ?? "",
    text: textOrNull(message.content) ?? "",
    refusal: textOrNull(message.refusal) ?? "",
    toolCalls: Array.isArray(calls) ? calls.flatMap(toolCallOf) : [],
    details: Array.isArray(details) ? details : none,
  };
}

/** The only choice of an answer or a chunk; null when there is none. */
export function choiceOf({ choices }: JsonObject): JsonObject | null {
  const [choice]: unknown[] = Array.isArray(choices) ? choices : [];
  return isRecord(choice) ? choice : null;
}
