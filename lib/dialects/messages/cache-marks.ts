/** Marks for the upstream's cache, of which a request may have a few. */
import { isRecord, listOf } from "../../values/records";
import type { JsonObject } from "../text-dialect";

const MARKS_MAX = 4;

const marksIn = (value: unknown): number =>
  isRecord(value)
    ? (value.cache_control === undefined ? 0 : 1) + marksOf(value.content)
    : marksOf(value);
const marksOf = (value: unknown): number =>
  listOf(value).reduce<number>((sum, one) => sum + marksIn(one), 0);

/** Takes marks away, those that come first before others. */
class Excess {
  constructor(public left: number) {}

  of(value: unknown): unknown {
    return Array.isArray(value) ? value.map((one: unknown) => this.#without(one)) : value;
  }

  #without(one: unknown): unknown {
    if (!isRecord(one) || this.left === 0) return one;
    const own = Array.isArray(one.content) ? { ...one, content: this.of(one.content) } : one;
    if (own.cache_control === undefined || this.left === 0) return own;
    this.left--;
    const { cache_control: _, ...rest } = own;
    return rest;
  }
}

/** `body` without the marks that are too many: the oldest of what was said, then those of the instructions. */
export function withinMarks(body: JsonObject): JsonObject {
  const { messages, system, tools } = body;
  const excess = new Excess(
    marksIn({ ...body, content: undefined }) +
      [messages, system, tools].reduce<number>((sum, list) => sum + marksOf(list), 0) -
      MARKS_MAX,
  );
  if (excess.left <= 0) return body;
  const kept = { ...body, messages: excess.of(messages) };
  return excess.left === 0
    ? kept
    : { ...kept, system: excess.of(system), ...(tools ? { tools: excess.of(tools) } : {}) };
}
