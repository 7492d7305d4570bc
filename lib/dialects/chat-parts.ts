/** Reads the parts of a chat answer or a chat chunk. An upstream wrote them: any value may occur. */
import { isRecord } from "../records";
import type { JsonObject } from "./text-dialect";

/** A call of a tool, or a piece of one. */
export interface ToolCallPart {
  /** Which of the answer's calls it belongs to; null where the upstream does not say. */
  readonly index: number | null;
  readonly id: string | null;
  readonly name: string | null;
  /** JSON text, or a piece of it. */
  readonly argumentsText: string;
}

export interface AnswerParts {
  readonly reasoning: string;
  readonly text: string;
  readonly refusal: string;
  readonly toolCalls: readonly ToolCallPart[];
}

const textOrNull = (value: unknown): string | null =>
  typeof value === "string" && value !== "" ? value : null;

function textOf(content: unknown): string {
  if (typeof content === "string") return content;
  if (!Array.isArray(content)) return "";
  return content.map((part) => (isRecord(part) ? (textOrNull(part.text) ?? "") : "")).join("");
}

function toolCallOf(value: unknown): ToolCallPart | null {
  if (!isRecord(value)) return null;
  const called = isRecord(value.function) ? value.function : {};
  const given = called.arguments;
  return {
    index: typeof value.index === "number" ? value.index : null,
    id: textOrNull(value.id),
    name: textOrNull(called.name),
    argumentsText:
      typeof given === "string" ? given : given === undefined ? "" : JSON.stringify(given),
  };
}

/** The parts of a message or of a delta. */
export function answerParts(message: unknown): AnswerParts {
  if (!isRecord(message)) return { reasoning: "", text: "", refusal: "", toolCalls: [] };
  const calls: unknown[] = Array.isArray(message.tool_calls) ? message.tool_calls : [];
  return {
    reasoning: textOrNull(message.reasoning_content) ?? textOrNull(message.reasoning) ?? "",
    text: textOf(message.content),
    refusal: textOrNull(message.refusal) ?? "",
    toolCalls: calls.map(toolCallOf).filter((call) => call !== null),
  };
}

/** The only choice of an answer or a chunk; null when there is none. */
export function choiceOf({ choices }: JsonObject): JsonObject | null {
  const [choice]: unknown[] = Array.isArray(choices) ? choices : [];
  return isRecord(choice) ? choice : null;
}
