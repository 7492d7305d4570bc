/** A bounded line for something that is full: the accounts take turns, each in its own order. */

export interface Wish {
  hasRoom(): boolean;
  take(): void;
}

interface Waiting extends Wish {
  readonly admit: () => void;
  readonly refuse: (error: Error) => void;
  readonly timer: NodeJS.Timeout;
}

const PER_ACCOUNT_MAX = 64;
const TOTAL_MAX = 1024;

export class FairLine {
  /** The account whose turn is next comes first. */
  readonly #lines = new Map<string, Waiting[]>();
  #count = 0;

  constructor(
    readonly waitMs: number,
    /** Told where the line is full, and where the wait was too long. */
    readonly refusal: () => Error,
    /** How many of one account may wait. */
    readonly perAccountMax = PER_ACCOUNT_MAX,
  ) {}

  get isEmpty(): boolean {
    return this.#count === 0;
  }

  /** Resolves when the wish was taken; rejects after `waitMs`, or at once where too many wait. */
  wait(accountId: string, wish: Wish): Promise<void> {
    const line = this.#lines.get(accountId) ?? [];
    if (line.length >= this.perAccountMax || this.#count >= TOTAL_MAX) return Promise.reject(this.refusal());
    return new Promise((admit, refuse) => {
      const timer = setTimeout(() => {
        this.#remove(accountId, waiting);
        refuse(this.refusal());
        this.serve();
      }, this.waitMs);
      timer.unref();
      const waiting: Waiting = { ...wish, admit, refuse, timer };
      line.push(waiting);
      this.#lines.set(accountId, line);
      this.#count++;
      this.serve();
    });
  }

  /** Admits whom there is room for, one of each account in turn. */
  serve(): void {
    for (let looked = 0; looked < this.#lines.size; ) {
      const [accountId, line] = this.#lines.entries().next().value as [string, Waiting[]];
      // One that waits for its own account keeps nobody of it from what is there.
      const next = line.find((waiting) => waiting.hasRoom());
      // Behind the others, whether it had its turn or cannot use it.
      this.#lines.delete(accountId);
      this.#lines.set(accountId, line);
      if (next === undefined) {
        looked++;
        continue;
      }
      looked = 0;
      this.#remove(accountId, next);
      next.take();
      next.admit();
    }
  }

  refuseAll(error: Error): void {
    for (const [accountId, line] of [...this.#lines]) {
      for (const waiting of [...line]) {
        this.#remove(accountId, waiting);
        waiting.refuse(error);
      }
    }
  }

  #remove(accountId: string, waiting: Waiting): void {
    clearTimeout(waiting.timer);
    const line = this.#lines.get(accountId) ?? [];
    const at = line.indexOf(waiting);
    if (at === -1) return;
    line.splice(at, 1);
    this.#count--;
    if (line.length === 0) this.#lines.delete(accountId);
  }
}
