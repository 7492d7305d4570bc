export interface Step {
  readonly at: number;
  readonly run: () => Promise<unknown>;
}

/** Steps by their time; those at the same time in the order in which they were added. */
export class Timeline {
  readonly #steps: Step[] = [];
  #taken = 0;

  /** Also while the steps are taken: a step may lead to others. */
  add(at: number, run: Step["run"]): void {
    let place = this.#steps.length;
    while (place > this.#taken && (this.#steps[place - 1]?.at ?? 0) > at) place--;
    this.#steps.splice(place, 0, { at, run });
  }

  take(): Step | undefined {
    const step = this.#steps[this.#taken];
    if (step !== undefined) this.#taken++;
    return step;
  }
}
