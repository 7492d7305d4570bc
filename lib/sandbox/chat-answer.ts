/**
 * The sandbox's answer to a chat request: text, a JSON document, or tool calls, cut at the
 * request's output cap.
 */
import { type ChatBody, ChatRefusal, membersOf, messagesOf } from "./chat-body";
import { Budget } from "./json-schema/budget";
import { documentFor } from "./json-schema/document";
import type { Misbehaviour } from "./misbehaviour";
import { answerTo, INTRODUCTION, replyTokens } from "./reply";
import { countTokens, type Tokens, textOf, tokensIn } from "./tokens";
import { callsFor, type ToolCall, toolResults } from "./tool-calls";

/** A part of an answer. The tokens of a tool call are those of its arguments. */
export type Segment =
  | { readonly kind: "text"; readonly tokens: Tokens }
  | { readonly kind: "call"; readonly call: ToolCall; readonly tokens: Tokens };

export interface Answer {
  readonly segments: readonly Segment[];
  readonly outputTokens: number;
  readonly finishReason: "stop" | "length" | "tool_calls" | "function_call";
}

export function lastPrompt(body: ChatBody): string {
  return textOf(messagesOf(body).findLast(({ role }) => role === "user")?.content);
}

/** The document that `response_format` asks for; null when it asks for none. */
async function documentOf(body: ChatBody): Promise<string | null> {
  const { type, json_schema } = membersOf(body.response_format);
  if (type === undefined || type === "text") return null;
  const { schema } = membersOf(json_schema);
  if (type === "json_schema" && schema !== undefined && schema !== null) {
    const made = documentFor(schema, new Budget());
    if (made !== null) return made;
    throw new ChatRefusal(
      "The sandbox cannot generate a document for this schema.",
      "response_format.json_schema.schema",
      "invalid_json_schema",
    );
  }
  if (type !== "json_object" && type !== "json_schema")
    throw new ChatRefusal("The response format is unknown.", "response_format.type");
  return JSON.stringify({
    sandbox: INTRODUCTION,
    answer: await answerTo(lastPrompt(body), toolResults(body)),
  });
}

async function segmentsOf(body: ChatBody, order: Misbehaviour): Promise<readonly Segment[]> {
  const calls = callsFor(body);
  if (calls.length > 0)
    return calls.map((call) => ({ kind: "call", call, tokens: tokensIn(call.arguments) }));
  const document = await documentOf(body);
  const tokens =
    document === null
      ? await replyTokens(lastPrompt(body), toolResults(body), order)
      : tokensIn(document);
  return [{ kind: "text", tokens }];
}

function finishReasonOf(segments: readonly Segment[]): Answer["finishReason"] {
  const [first] = segments;
  if (first?.kind !== "call") return "stop";
  return first.call.isLegacy ? "function_call" : "tool_calls";
}

/**
 * The answer, of at most `capTokens`. A tool call whose name does not fit is left out. Throws
 * `ChatRefusal`.
 */
export async function answerFor(
  body: ChatBody,
  order: Misbehaviour,
  capTokens: number,
): Promise<Answer> {
  const whole = await segmentsOf(body, order);
  const segments: Segment[] = [];
  let left = capTokens;
  let isCut = false;
  for (const segment of whole) {
    const nameTokens = segment.kind === "call" ? countTokens(segment.call.name) : 0;
    isCut = nameTokens + segment.tokens.length > left;
    if (nameTokens > left) break;
    const length = Math.min(segment.tokens.length, left - nameTokens);
    segments.push({ ...segment, tokens: { ...segment.tokens, length } });
    left -= nameTokens + length;
    if (isCut) break;
  }
  return {
    segments,
    outputTokens: countOf(segments),
    finishReason: isCut ? "length" : finishReasonOf(whole),
  };
}

function countOf(segments: readonly Segment[]): number {
  let count = 0;
  for (const segment of segments)
    count += segment.tokens.length + (segment.kind === "call" ? countTokens(segment.call.name) : 0);
  return count;
}
