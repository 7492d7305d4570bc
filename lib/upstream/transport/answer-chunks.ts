/** A whole chat answer as the chunks in which a stream would have brought it. */
import type { JsonObject } from "../provider";
import { asObject } from "./upstream-json";

/** A text comes in at most so many pieces, none shorter than this, however long it is. */
const PIECES_MAX = 64;
const PIECE_CHARACTERS_MIN = 24;

const pieceTexts = ["reasoning_content", "reasoning", "content", "refusal"];

/** The pieces of a text. No character of two halves is divided. */
export function piecesOf(text: string): string[] {
  const length = Math.max(PIECE_CHARACTERS_MIN, Math.ceil(text.length / PIECES_MAX));
  const pieces: string[] = [];
  for (let start = 0; start < text.length; ) {
    let end = Math.min(start + length, text.length);
    if (/[\ud800-\udbff]/.test(text.charAt(end - 1)) && end < text.length) end++;
    pieces.push(text.slice(start, end));
    start = end;
  }
  return pieces;
}

/** A call's head, and then its arguments in pieces. */
function callDeltas(calls: readonly unknown[]): JsonObject[] {
  return calls.flatMap((item, index) => {
    const call = asObject(item) ?? {};
    const named = asObject(call.function);
    if (named === null) return [{ tool_calls: [{ ...call, index }] }];
    const { arguments: text } = named;
    if (typeof text !== "string") return [{ tool_calls: [{ ...call, index }] }];
    const head = { ...call, index, function: { ...named, arguments: "" } };
    const rest = piecesOf(text).map((piece) => ({ index, function: { arguments: piece } }));
    return [head, ...rest].map((each) => ({ tool_calls: [each] }));
  });
}

function deltasOf(name: string, value: unknown): JsonObject[] {
  if (name === "role" || value === null || value === undefined) return [];
  if (name === "tool_calls" && Array.isArray(value)) return callDeltas(value);
  if (typeof value === "string" && pieceTexts.includes(name))
    return piecesOf(value).map((piece) => ({ [name]: piece }));
  return [{ [name]: value }];
}

/** What is thought comes before what is said, and that before what is called. */
const order = ["reasoning_content", "reasoning", "content"];
const placeOf = (name: string) => (order.includes(name) ? order.indexOf(name) : order.length);

function choiceChunks(choice: JsonObject, position: number): JsonObject[] {
  const { message, logprobs, finish_reason: reason, index: given, ...others } = choice;
  const index = typeof given === "number" ? given : position;
  const said = asObject(message) ?? {};
  const deltas = Object.keys(said)
    .sort((one, other) => placeOf(one) - placeOf(other))
    .flatMap((name) => deltasOf(name, said[name]));
  const begun = [{ role: said.role ?? "assistant", content: "" }, ...deltas];
  const end = { ...others, index, delta: {}, finish_reason: reason ?? null };
  return [
    ...begun.map((delta) => ({ index, delta, finish_reason: null })),
    logprobs === undefined || logprobs === null ? end : { ...end, logprobs },
  ];
}

/** The chunks of an answer that the adapter has read: each of its choices has a message. */
export function answerChunks(body: JsonObject): JsonObject[] {
  const { choices, usage: _, ...head } = body;
  const all = Array.isArray(choices) ? choices.map((choice) => asObject(choice) ?? {}) : [];
  return all
    .flatMap(choiceChunks)
    .map((choice) => ({ ...head, object: "chat.completion.chunk", choices: [choice] }));
}
