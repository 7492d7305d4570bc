/** Frees what a body keeps once it is released and every hold on it has ended. */
export class Holds {
  #count = 0;
  #isReleased = false;

  constructor(readonly free: () => void) {}

  release(): void {
    this.#isReleased = true;
    if (this.#count === 0) this.free();
  }

  hold(): () => void {
    this.#count++;
    return () => {
      if (--this.#count === 0 && this.#isReleased) this.free();
    };
  }
}
