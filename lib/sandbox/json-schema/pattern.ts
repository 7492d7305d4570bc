/**
 * Generates a text that a simple regular expression matches, from the parts of the expression. The
 * expression is never run: a client's pattern may take forever.
 */

import type { Budget } from "./budget";

const PATTERN_CHARACTERS_MAX = 500;
const GROUPS_MAX = 20;
const TEXT_CHARACTERS_MAX = 2_000;
const ATTEMPTS: readonly (readonly [alternative: number, more: number])[] = [0, 1, 2].flatMap(
  (alternative) => [0, 1, 2, 3, 5, 8, 12, 20, 40, 80].map((more) => [alternative, more] as const),
);

/** The pattern contains a construct that is not supported, or no text can be generated. */
class NotSimple extends Error {}

type Node =
  | { readonly kind: "characters"; readonly pick: string }
  | { readonly kind: "start" }
  | { readonly kind: "end" }
  | { readonly kind: "group"; readonly alternatives: readonly (readonly Node[])[] }
  | { readonly kind: "repeat"; readonly node: Node; readonly least: number; readonly most: number };

const classes: Readonly<Record<string, readonly string[]>> = {
  d: ["09"],
  w: ["az", "AZ", "09", "__"],
  s: ["  ", "\t\t", "\n\n"],
};
const controls: Readonly<Record<string, string>> = {
  t: "\t",
  n: "\n",
  r: "\r",
  f: "\f",
  v: "\v",
  0: "\0",
};
const candidates = [..."aA0-_ .,:;!?/@#x1z9é"];

const isIn = (ranges: readonly string[], character: string): boolean =>
  ranges.some(([low = "", high = low]) => character >= low && character <= high);

function outside(ranges: readonly string[]): string {
  const found = candidates.find((candidate) => !isIn(ranges, candidate));
  if (found === undefined) throw new NotSimple();
  return found;
}

class Reader {
  #at = 0;
  #groups = 0;

  constructor(readonly source: string) {}

  whole(): Node {
    const node = this.#alternatives();
    if (this.#at < this.source.length) throw new NotSimple();
    return node;
  }

  #peek(): string {
    return this.source[this.#at] ?? "";
  }

  #take(expected?: string): string {
    const character = this.source[this.#at++];
    if (character === undefined || (expected !== undefined && character !== expected))
      throw new NotSimple();
    return character;
  }

  #alternatives(): Node {
    if (++this.#groups > GROUPS_MAX) throw new NotSimple();
    const alternatives: Node[][] = [[]];
    while (this.#at < this.source.length && this.#peek() !== ")") {
      if (this.#peek() === "|") {
        this.#take();
        alternatives.push([]);
      } else alternatives.at(-1)?.push(this.#quantified());
    }
    return { kind: "group", alternatives };
  }

  #quantified(): Node {
    const node = this.#atom();
    const sign = this.#peek();
    let bounds: readonly [number, number] | null = null;
    if (sign === "*") bounds = [0, Number.POSITIVE_INFINITY];
    else if (sign === "+") bounds = [1, Number.POSITIVE_INFINITY];
    else if (sign === "?") bounds = [0, 1];
    else if (sign === "{") bounds = this.#counts();
    if (bounds === null) return node;
    if (sign !== "{") this.#take();
    if (this.#peek() === "?") this.#take();
    return { kind: "repeat", node, least: bounds[0], most: bounds[1] };
  }

  #counts(): readonly [number, number] {
    const end = this.source.indexOf("}", this.#at);
    const [least = "", most] = this.source.slice(this.#at + 1, end).split(",");
    if (end === -1 || !/^\d{1,6}$/.test(least) || (most && !/^\d{1,6}$/.test(most)))
      throw new NotSimple();
    this.#at = end + 1;
    return [
      Number(least),
      most === undefined ? Number(least) : most === "" ? Number.POSITIVE_INFINITY : Number(most),
    ];
  }

  #atom(): Node {
    const character = this.#take();
    if (character === "^") return { kind: "start" };
    if (character === "$") return { kind: "end" };
    if (character === ".") return { kind: "characters", pick: "a" };
    if (character === "[") return { kind: "characters", pick: this.#set() };
    if (character === "(") return this.#group();
    if (character === "\\") {
      const ranges = this.#escape();
      return {
        kind: "characters",
        pick: ranges.isNegated ? outside(ranges.list) : (ranges.list[0]?.[0] ?? ""),
      };
    }
    if ("*+?{".includes(character)) throw new NotSimple();
    return { kind: "characters", pick: character };
  }

  #group(): Node {
    if (this.#peek() === "?") {
      this.#take();
      if (this.#peek() === "<") {
        const end = this.source.indexOf(">", this.#at);
        if (end === -1 || "=!".includes(this.source[this.#at + 1] ?? "=")) throw new NotSimple();
        this.#at = end + 1;
      } else this.#take(":");
    }
    const node = this.#alternatives();
    this.#take(")");
    return node;
  }

  #escape(): { readonly list: readonly string[]; readonly isNegated: boolean } {
    const letter = this.#take();
    const known = classes[letter.toLowerCase()];
    if (known) return { list: known, isNegated: letter !== letter.toLowerCase() };
    const control = controls[letter];
    if (control !== undefined) return { list: [control + control], isNegated: false };
    if (/[A-Za-z1-9]/.test(letter)) throw new NotSimple();
    return { list: [letter + letter], isNegated: false };
  }

  #set(): string {
    const isNegated = this.#peek() === "^";
    if (isNegated) this.#take();
    const ranges: string[] = [];
    while (this.#peek() !== "]") {
      const low = this.#member(ranges);
      if (low === null) continue;
      if (this.#peek() !== "-" || this.source[this.#at + 1] === "]") {
        ranges.push(low + low);
        continue;
      }
      this.#take("-");
      ranges.push(low + (this.#member([]) ?? low));
    }
    this.#take("]");
    if (isNegated) return outside(ranges);
    const letter = candidates.find((candidate) => isIn(ranges, candidate)) ?? ranges[0]?.[0];
    if (letter === undefined) throw new NotSimple();
    return letter;
  }

  /** One character of a set; null for a class, whose ranges are added to `ranges`. */
  #member(ranges: string[]): string | null {
    const character = this.#take();
    if (character !== "\\") return character;
    const { list, isNegated } = this.#escape();
    if (isNegated) throw new NotSimple();
    if (list.length === 1 && list[0]?.[0] === list[0]?.[1]) return list[0]?.[0] ?? null;
    ranges.push(...list);
    return null;
  }
}

class Writer {
  text = "";
  #isClosed = false;
  #steps = 0;

  constructor(
    readonly alternative: number,
    readonly more: number,
    readonly budget: Budget,
  ) {}

  write(node: Node): void {
    if (++this.#steps > TEXT_CHARACTERS_MAX || !this.budget.patternStep()) throw new NotSimple();
    if (node.kind === "characters") this.#add(node.pick);
    else if (node.kind === "start") {
      if (this.text !== "") throw new NotSimple();
    } else if (node.kind === "end") this.#isClosed = true;
    else if (node.kind === "repeat") {
      const times = Math.min(node.most, node.least + this.more);
      for (let time = 0; time < times; time++) this.write(node.node);
    } else
      for (const one of node.alternatives[
        Math.min(this.alternative, node.alternatives.length - 1)
      ] ?? [])
        this.write(one);
  }

  #add(pick: string): void {
    if (this.#isClosed) throw new NotSimple();
    this.text += pick;
  }
}

function attempt(node: Node, alternative: number, more: number, budget: Budget): string | null {
  const writer = new Writer(alternative, more, budget);
  try {
    writer.write(node);
    return writer.text;
  } catch (error) {
    if (error instanceof NotSimple) return null;
    throw error;
  }
}

function read(pattern: string): Node | null {
  if (pattern.length > PATTERN_CHARACTERS_MAX) return null;
  try {
    return new Reader(pattern).whole();
  } catch (error) {
    if (error instanceof NotSimple) return null;
    throw error;
  }
}

/** A matching text of `least` to `most` characters; null when the pattern is not simple enough. */
export function textMatching(
  pattern: string,
  least: number,
  most: number,
  budget: Budget,
): string | null {
  const node = budget.patternStep(pattern.length) ? read(pattern) : null;
  if (!node) return null;
  const extra = Math.min(least, TEXT_CHARACTERS_MAX);
  const attempts = [
    ...ATTEMPTS,
    ...[0, 1, 2].flatMap((alternative) => [[alternative, extra] as const]),
  ];
  for (const [alternative, more] of attempts) {
    const text = attempt(node, alternative, more, budget);
    if (text !== null && text.length >= least && text.length <= most) return text;
  }
  return pad(pattern, attempt(node, 0, 0, budget), least, most);
}

/** A pattern without an anchor at its end allows any text after the match. */
function pad(pattern: string, text: string | null, least: number, most: number): string | null {
  if (text === null || text.length > most || pattern.includes("$")) return null;
  return text.padEnd(Math.min(least, TEXT_CHARACTERS_MAX), "a");
}
