/**
 * Bounds the work that one request's schemas may cause: the sandbox shares its event loop with all
 * other requests.
 */

const STEPS_MAX = 12_000;
const VALUES_MAX = 1_000;
/** Beyond either of these, only what a schema requires is generated. */
const OPTIONAL_VALUES_MAX = 300;
const OPTIONAL_STEPS_MAX = STEPS_MAX / 2;
const CHARACTERS_MAX = 64 * 1024;
const NESTING_MAX = 200;
const PATTERN_STEPS_MAX = 50_000;

/** No value can satisfy these schemas together, as far as the sandbox can tell. */
export class Impossible extends Error {}

/** The document, or the search for it, exceeds the sandbox's bounds. */
export class TooLarge extends Error {}

// One instance of each error: a stack trace for each of thousands would cost more than all other
// work.
export const impossible = new Impossible();
const tooLarge = new TooLarge();

export class Budget {
  #steps = STEPS_MAX;
  #values = 0;
  #characters = CHARACTERS_MAX;
  #nesting = 0;
  #patternSteps = PATTERN_STEPS_MAX;

  /** True while there is room for values that no schema requires. */
  get allowsOptional(): boolean {
    const hasSteps = this.#steps > STEPS_MAX - OPTIONAL_STEPS_MAX;
    return hasSteps && this.#values < OPTIONAL_VALUES_MAX && this.#characters > CHARACTERS_MAX / 2;
  }

  step(count = 1): void {
    this.#steps -= count;
    if (this.#steps < 0) throw tooLarge;
  }

  value(): void {
    this.step();
    if (++this.#values > VALUES_MAX) throw tooLarge;
  }

  /**
   * False once patterns have used up their share. Texts are then generated without their patterns.
   */
  patternStep(count = 1): boolean {
    this.#patternSteps -= count;
    return this.#patternSteps >= 0;
  }

  characters(count: number): void {
    this.#characters -= count;
    if (this.#characters < 0) throw tooLarge;
  }

  /** Runs `work` one level deeper on the stack. */
  nested<Result>(work: () => Result): Result {
    if (++this.#nesting > NESTING_MAX) throw tooLarge;
    try {
      return work();
    } finally {
      this.#nesting--;
    }
  }
}
