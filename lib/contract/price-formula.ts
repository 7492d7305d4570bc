/**
 * The formulas by which new-api prices requests, as far as they are sums of quantities times numbers that
 * depend on the length of the input and the hour of the day.
 */
import {
  both,
  type Costs,
  calculated,
  formulaCounts,
  isSo,
  mirrored,
  negated,
  type Token,
  tokensOf,
  type Value,
} from "./formula-values";

const LENGTH_MAX = 2000;
const DEPTH_MAX = 60;

/** The time at which a request comes, and how long its input is. */
interface FormulaCase {
  readonly inputTokens: number;
  /** Of the day in UTC. */
  readonly hour: number;
}

type Read = (at: FormulaCase) => Value;
/** A part of a formula; `subject` where a comparison of it with a number tells cases apart. */
interface Part {
  readonly read: Read;
  readonly subject?: "len" | { readonly zoneHours: number };
  readonly number?: number;
}

/** Those without summer time. */
const zones: Readonly<Record<string, number>> = {
  ...{ UTC: 0, "": 0, "Asia/Shanghai": 8, "Asia/Hong_Kong": 8, "Asia/Taipei": 8 },
  ...{ "Asia/Singapore": 8, "Asia/Tokyo": 9, "Asia/Seoul": 9 },
};

class FormulaError extends Error {}

/** Reads a formula from its tokens, and notes where its costs may change. */
class Reader {
  readonly lengths = new Set<number>();
  isTimed = false;
  #at = 0;
  #depth = 0;

  constructor(readonly tokens: readonly Token[]) {}

  whole(): Read {
    const { read } = this.#choice();
    if (this.#at < this.tokens.length) throw new FormulaError();
    return read;
  }

  #takes(...signs: string[]): string | null {
    const sign = this.tokens[this.#at]?.sign;
    if (sign === undefined || !signs.includes(sign)) return null;
    this.#at++;
    return sign;
  }

  #expect(sign: string): void {
    if (this.#takes(sign) === null) throw new FormulaError();
  }

  #choice(): Part {
    if (++this.#depth > DEPTH_MAX) throw new FormulaError();
    const condition = this.#either();
    let part = condition;
    if (this.#takes("?") !== null) {
      const then = this.#choice();
      this.#expect(":");
      const otherwise = this.#choice();
      const read = (at: FormulaCase) => {
        const is = condition.read(at);
        return is === true ? then.read(at) : is === false ? otherwise.read(at) : null;
      };
      part = { read };
    }
    this.#depth--;
    return part;
  }

  #either(): Part {
    let part = this.#all();
    while (this.#takes("||") !== null) {
      const [one, other] = [part, this.#all()];
      part = { read: (at) => negated(both(negated(one.read(at)), negated(other.read(at)))) };
    }
    return part;
  }

  #all(): Part {
    let part = this.#compared();
    while (this.#takes("&&") !== null) {
      const [one, other] = [part, this.#compared()];
      part = { read: (at) => both(one.read(at), other.read(at)) };
    }
    return part;
  }

  #compared(): Part {
    const one = this.#sum();
    const sign = this.#takes("<", "<=", ">", ">=", "==", "!=");
    if (sign === null) return one;
    const other = this.#sum();
    if (one.subject !== undefined && other.number !== undefined)
      return this.#told(one.subject, sign, other.number);
    if (other.subject !== undefined && one.number !== undefined)
      return this.#told(other.subject, mirrored[sign] ?? sign, one.number);
    return { read: () => null };
  }

  /** A comparison of the length or the hour. */
  #told(subject: NonNullable<Part["subject"]>, sign: string, number: number): Part {
    if (subject === "len") {
      this.lengths.add(Math.ceil(number)).add(Math.floor(number) + 1);
      return { read: ({ inputTokens }) => isSo(sign, inputTokens, number) };
    }
    this.isTimed = true;
    return { read: ({ hour }) => isSo(sign, (hour + subject.zoneHours) % 24, number) };
  }

  #sum(): Part {
    let part = this.#product();
    for (let sign = this.#takes("+", "-"); sign !== null; sign = this.#takes("+", "-"))
      part = this.#calculated(sign, part, this.#product());
    return part;
  }

  #product(): Part {
    let part = this.#single();
    for (let sign = this.#takes("*", "/"); sign !== null; sign = this.#takes("*", "/"))
      part = this.#calculated(sign, part, this.#single());
    return part;
  }

  #calculated(sign: string, one: Part, other: Part): Part {
    return { read: (at) => calculated(sign, one.read(at), other.read(at)) };
  }

  #single(): Part {
    if (this.#takes("(") !== null) {
      const part = this.#choice();
      this.#expect(")");
      return part;
    }
    const { number, name } = this.tokens[this.#at++] ?? {};
    if (number !== undefined) return { read: () => ({ 1: number }), number };
    if (name === undefined) throw new FormulaError();
    return this.#takes("(") === null ? named(name) : this.#call(name);
  }

  #call(name: string): Part {
    const { text } = this.tokens[this.#at++] ?? {};
    if (text === undefined) throw new FormulaError();
    if (name === "tier") {
      this.#expect(",");
      const part = this.#choice();
      this.#expect(")");
      return part;
    }
    this.#expect(")");
    const zoneHours = Object.hasOwn(zones, text) ? zones[text] : undefined;
    const read = () => null;
    return name === "hour" && zoneHours !== undefined ? { read, subject: { zoneHours } } : { read };
  }
}

function named(name: string): Part {
  if (name === "len") return { read: () => null, subject: "len" };
  // What is kept for an hour costs what is kept for minutes here.
  if (name === "cc1h") return { read: () => ({}) };
  const count = formulaCounts.find((each) => each === name);
  return { read: () => (count === undefined ? null : { [count]: 1 }) };
}

export interface Formula {
  /** The input tokens from which on its costs may differ, in ascending order. */
  readonly lengths: readonly number[];
  /** Whether its costs may differ by the hour. */
  readonly isTimed: boolean;
  /** Null where they depend on something else. */
  costsAt(at: FormulaCase): Costs | null;
}

/** Null for a text that is no such formula. */
export function readFormula(text: string): Formula | null {
  if (text.length > LENGTH_MAX) return null;
  const tokens = tokensOf(text.replace(/^\s{0,9}v\d{1,3}:/, ""));
  if (tokens === null) return null;
  const reader = new Reader(tokens);
  try {
    const read = reader.whole();
    return {
      lengths: [...reader.lengths].filter((from) => from >= 1).sort((one, other) => one - other),
      isTimed: reader.isTimed,
      costsAt(at) {
        const costs = read(at);
        return typeof costs === "boolean" ? null : costs;
      },
    };
  } catch (error) {
    if (error instanceof FormulaError) return null;
    throw error;
  }
}
