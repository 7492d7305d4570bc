/**
 * A backtracking matcher that counts its steps, like the regular expression engine without its
 * optimizations.
 */

type Test = (character: string) => boolean;
type Instruction =
  | { readonly op: "take"; readonly test: Test }
  | { readonly op: "split"; readonly first: number; readonly second: number }
  | { readonly op: "jump"; readonly to: number }
  | { readonly op: "at"; readonly test: (text: string, at: number) => boolean }
  | {
      readonly op: "look";
      readonly program: Instruction[];
      readonly isAhead: boolean;
      readonly isNegated: boolean;
    }
  | { readonly op: "mark"; readonly slot: number }
  | { readonly op: "moved"; readonly slot: number };

interface Parsed {
  readonly program: Instruction[];
  readonly slots: number;
}

const isWordCharacter = (character: string | undefined) =>
  character !== undefined && /\w/.test(character);

/**
 * Compiles a pattern of the form that this project uses. Throws for other constructs, such as
 * backreferences.
 */
class Compiler {
  /** All that the pattern asks of a character. */
  readonly tests: Test[] = [isWordCharacter];
  #at = 0;
  #slots = 0;
  constructor(
    readonly source: string,
    readonly flags: string,
  ) {}

  compile(): Parsed {
    const program = this.#alternatives();
    if (this.#at !== this.source.length) throw new Error(`unread: ${this.source.slice(this.#at)}`);
    return { program, slots: this.#slots };
  }

  #isNext(text: string): boolean {
    if (!this.source.startsWith(text, this.#at)) return false;
    this.#at += text.length;
    return true;
  }

  #alternatives(): Instruction[] {
    const first = this.#sequence();
    if (!this.#isNext("|")) return first;
    const second = this.#alternatives();
    return [
      { op: "split", first: 1, second: first.length + 2 },
      ...shifted(first, 1),
      { op: "jump", to: first.length + 2 + second.length },
      ...shifted(second, first.length + 2),
    ];
  }

  #sequence(): Instruction[] {
    let program: Instruction[] = [];
    while (this.#at < this.source.length && !"|)".includes(this.source[this.#at] as string)) {
      program = [...program, ...shifted(this.#quantified(this.#atom()), program.length)];
    }
    return program;
  }

  #atom(): Instruction[] {
    for (const [open, isAhead, isNegated] of [
      ["(?=", true, false],
      ["(?!", true, true],
      ["(?<=", false, false],
      ["(?<!", false, true],
    ] as const) {
      if (!this.#isNext(open)) continue;
      return [{ op: "look", program: this.#group(), isAhead, isNegated }];
    }
    if (this.#isNext("(?:")) return this.#group();
    if (this.#isNext("(")) {
      const name = /^\?<\w+>/.exec(this.source.slice(this.#at))?.[0];
      this.#at += name?.length ?? 0;
      return this.#group();
    }
    if (this.#isNext("^")) return [{ op: "at", test: (_, at) => at === 0 }];
    if (this.#isNext("$")) return [{ op: "at", test: (text, at) => at === text.length }];
    if (this.#isNext("\\b"))
      return [
        {
          op: "at",
          test: (text, at) => isWordCharacter(text[at - 1]) !== isWordCharacter(text[at]),
        },
      ];
    if (this.#isNext("\\B"))
      return [
        {
          op: "at",
          test: (text, at) => isWordCharacter(text[at - 1]) === isWordCharacter(text[at]),
        },
      ];
    return [{ op: "take", test: this.#characterTest() }];
  }

  #group(): Instruction[] {
    const program = this.#alternatives();
    if (!this.#isNext(")")) throw new Error(`no end of a group: ${this.source}`);
    return program;
  }

  /** A class, an escape or a plain character, tested by the engine itself. */
  #characterTest(): Test {
    const found =
      /^(?:\[(?:\\.|[^\]\\])*\]|\\[pP]\{[^}]+\}|\\x[\da-f]{2}|\\u[\da-f]{4}|\\u\{[\da-f]+\}|\\[^1-9bBk]|[^\\])/is.exec(
        this.source.slice(this.#at),
      );
    if (!found) throw new Error(`not understood: ${this.source.slice(this.#at)}`);
    this.#at += found[0].length;
    const own = new RegExp(`^(?:${found[0]})$`, this.flags.replace(/[gymd]/g, ""));
    const known = new Map<string, boolean>();
    const test = (character: string) => {
      const seen = known.get(character) ?? own.test(character);
      known.set(character, seen);
      return seen;
    };
    this.tests.push(test);
    return test;
  }

  #quantified(atom: Instruction[]): Instruction[] {
    const found = /^(?:[*+?]|\{(\d+)(,(\d*))?\})(\?)?/.exec(this.source.slice(this.#at));
    if (!found) return atom;
    this.#at += found[0].length;
    const sign = found[0][0];
    const least = sign === "+" ? 1 : sign === "{" ? Number(found[1]) : 0;
    const most =
      sign === "?"
        ? 1
        : sign !== "{" || found[3] === ""
          ? Number.POSITIVE_INFINITY
          : Number(found[3] ?? least);
    let program: Instruction[] = [];
    const add = (more: Instruction[]) => {
      program = [...program, ...shifted(more, program.length)];
    };
    for (let times = 0; times < least; times++) add(atom);
    if (most === Number.POSITIVE_INFINITY) add(this.#loop(atom, found[4] === "?"));
    else add(optional(atom, most - least, found[4] === "?"));
    return program;
  }

  #loop(atom: Instruction[], isLazy: boolean): Instruction[] {
    const slot = this.#slots++;
    const [go, leave] = [1, atom.length + 4];
    return [
      { op: "split", first: isLazy ? leave : go, second: isLazy ? go : leave },
      { op: "mark", slot },
      ...shifted(atom, 2),
      { op: "moved", slot },
      { op: "jump", to: 0 },
    ];
  }
}

/** `atom` up to `times` times in a row. */
function optional(atom: Instruction[], times: number, isLazy: boolean): Instruction[] {
  const end = times * (atom.length + 1);
  const program: Instruction[] = [];
  for (let time = 0; time < times; time++) {
    const go = program.length + 1;
    program.push(
      { op: "split", first: isLazy ? end : go, second: isLazy ? go : end },
      ...shifted(atom, go),
    );
  }
  return program;
}

function shifted(program: readonly Instruction[], by: number): Instruction[] {
  return program.map((step) =>
    step.op === "split"
      ? { ...step, first: step.first + by, second: step.second + by }
      : step.op === "jump"
        ? { ...step, to: step.to + by }
        : step,
  );
}

interface Counter {
  steps: number;
  readonly stepsMax: number;
}

/** The end of a match that starts at `from`; null when there is none. */
function run(parsed: Parsed, text: string, from: number, counter: Counter): number | null {
  const waiting: { pc: number; at: number; marks: number[] }[] = [
    { pc: 0, at: from, marks: Array(parsed.slots).fill(-1) },
  ];
  for (let thread = waiting.pop(); thread !== undefined; thread = waiting.pop()) {
    let { pc, at, marks } = thread;
    for (;;) {
      if (++counter.steps > counter.stepsMax) return null;
      const step = parsed.program[pc];
      if (step === undefined) return at;
      if (step.op === "take") {
        if (at >= text.length || !step.test(text[at] as string)) break;
        at++;
        pc++;
      } else if (step.op === "split") {
        waiting.push({ pc: step.second, at, marks });
        pc = step.first;
      } else if (step.op === "jump") pc = step.to;
      else if (step.op === "mark") {
        marks = marks.with(step.slot, at);
        pc++;
      } else if (
        step.op === "moved" ? marks[step.slot] !== at : holds(parsed, step, text, at, counter)
      )
        pc++;
      else break;
    }
  }
  return null;
}

function holds(
  parsed: Parsed,
  step: Extract<Instruction, { op: "at" | "look" }>,
  text: string,
  at: number,
  counter: Counter,
): boolean {
  if (step.op === "at") return step.test(text, at);
  const inner = { program: step.program, slots: parsed.slots };
  const isFound = step.isAhead
    ? run(inner, text, at, counter) !== null
    : // Every lookbehind in the project is one character long.
      at > 0 && run(inner, text, at - 1, counter) === at;
  return isFound !== step.isNegated;
}

/** What a pattern's steps depend on. */
interface StepCounter {
  /** Whether nothing in it repeats without an end: its steps at one place of a text have a limit. */
  readonly isBounded: boolean;
  /** Counts the steps to find every match in a text. */
  count(text: string, stepsMax: number): number;
  /** The text of which the pattern can tell no character from one before it: it takes the same steps. */
  plain(text: string): string;
}

export function stepCounter(source: string, flags: string): StepCounter {
  const compiler = new Compiler(source, flags);
  const parsed = compiler.compile();
  const firsts = new Map<string, string>();
  const plain = (character: string): string => {
    const seen = compiler.tests.map((test) => Number(test(character))).join("");
    const first = firsts.get(seen) ?? character;
    firsts.set(seen, first);
    return first;
  };
  return {
    isBounded: parsed.slots === 0,
    count(text, stepsMax) {
      const counter = { steps: 0, stepsMax };
      for (let from = 0; from <= text.length && counter.steps <= stepsMax; ) {
        const end = run(parsed, text, from, counter);
        from = end === null || end === from ? from + 1 : end;
      }
      return counter.steps;
    },
    plain: (text) => text.split("").map(plain).join(""),
  };
}
