/** The fields of a request that have no canonical form: bounded, each named once. */
const NAMES_MAX = 100;

export class LeftOut {
  readonly #names = new Set<string>();

  get names(): readonly string[] {
    return [...this.#names];
  }

  add(name: string): void {
    if (this.#names.size < NAMES_MAX) this.#names.add(name);
  }

  /** Adds the members of `value` that are not `known`. */
  addUnknown(value: object, known: ReadonlySet<string>, place = ""): void {
    for (const name in value) if (!known.has(name)) this.add(`${place}${name}`);
  }
}
