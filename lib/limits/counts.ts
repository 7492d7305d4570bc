/** Counters by id. A counter that drops to zero is removed. */
export class Counts {
  readonly #counts = new Map<string, number>();

  of(id: string): number {
    return this.#counts.get(id) ?? 0;
  }

  change(id: string, by: number): void {
    const count = this.of(id) + by;
    if (count <= 0) this.#counts.delete(id);
    else this.#counts.set(id, count);
  }
}
