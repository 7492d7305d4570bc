/**
 * The chunks of one stream mostly differ in one string. A pattern is the text around it, learned
 * from a chunk that was parsed. Another text of the same pattern is the same object with another
 * string: a JSON string ends at its first quote without a backslash, so whatever string is there,
 * what follows it is read alike. Such a chunk need not be parsed.
 */
import { endOfString } from "../../json/strict-json";
import { isRecord } from "../../values/records";
import type { ChunkSamples, JsonObject } from "../provider";
import { isTame, parseUpstreamObject } from "../transport/upstream-json";
import { usageOf } from "./usage";

const QUOTE = 34;
const BACKSLASH = 92;
/** The names of the strings in which chunks differ, where they begin. */
const beginnings = {
  content: /"content"\s?:\s?"/,
  reasoning_content: /"reasoning_content"\s?:\s?"/,
} as const;
const special = /["\\\p{Cc}]/u;
/** The escapes that `JSON.stringify` writes as they came. It writes others in another way. */
const keptEscapes = '"\\bfnrt';

/** Whether a string between these characters is valid, and `JSON.stringify` writes it as it is. */
function isWrittenAlike(text: string): boolean {
  if (!special.test(text)) return true;
  for (let at = 0; at < text.length; at++) {
    const code = text.charCodeAt(at);
    if (code < 32 || code === QUOTE) return false;
    if (code !== BACKSLASH) continue;
    at++;
    if (at === text.length || !keptEscapes.includes(text.charAt(at))) return false;
  }
  return true;
}

export class ChunkPattern {
  constructor(
    readonly before: string,
    readonly after: string,
  ) {}

  /** Made anew by each call. */
  samples(): ChunkSamples {
    return [this.#sample("a"), this.#sample("b")];
  }

  #sample(text: string): JsonObject {
    return parseUpstreamObject(this.before + text + this.after) ?? {};
  }

  /**
   * The string of a chunk of this pattern, as JSON writes it; null for any other chunk, and for a
   * string that could be written in another way.
   */
  read(data: string): string | null {
    const { before, after } = this;
    const end = data.length - after.length;
    if (end < before.length || !data.startsWith(before) || !data.endsWith(after)) return null;
    const text = data.slice(before.length, end);
    return isWrittenAlike(text) ? text : null;
  }
}

/** The delta of a chunk that carries nothing but a piece of text. */
function plainDelta(chunk: JsonObject): JsonObject | null {
  const { choices } = chunk;
  if (!Array.isArray(choices) || choices.length !== 1 || usageOf(chunk) !== null) return null;
  const choice: unknown = choices[0];
  if (!isRecord(choice) || !isRecord(choice.delta)) return null;
  if ((choice.finish_reason ?? choice.logprobs ?? null) !== null) return null;
  const { delta } = choice;
  return (delta.tool_calls ?? delta.function_call ?? null) === null ? delta : null;
}

export interface Learned {
  readonly pattern: ChunkPattern;
  readonly samples: ChunkSamples;
}

/** The pattern of a chunk; null when it has none that would be sure to be read as the chunk is. */
export function learnPattern(data: string, chunk: JsonObject): Learned | null {
  const delta = plainDelta(chunk);
  if (delta === null) return null;
  const name = delta.content ? "content" : "reasoning_content";
  if (typeof delta[name] !== "string" || delta[name] === "") return null;
  const begin = beginnings[name].exec(data);
  if (begin === null || !isTame(data)) return null;
  const open = begin.index + begin[0].length - 1;
  const pattern = new ChunkPattern(data.slice(0, open + 1), data.slice(endOfString(data, open)));
  // It is that string of the delta, and no other, if and only if what is put there is read there.
  const samples = pattern.samples();
  const [first, second] = samples.map((sample) => plainDelta(sample)?.[name]);
  return first === "a" && second === "b" ? { pattern, samples } : null;
}
