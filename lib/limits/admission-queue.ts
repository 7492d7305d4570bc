/**
 * A bounded queue for a full resource. Accounts take turns; each account's requests stay in order.
 */

export interface Slot {
  hasRoom(): boolean;
  take(): void;
}

interface WaitingRequest extends Slot {
  readonly admit: () => void;
  readonly refuse: (error: Error) => void;
  readonly timer: NodeJS.Timeout;
}

const PER_ACCOUNT_MAX = 64;
const TOTAL_MAX = 1024;

export class AdmissionQueue {
  /** By account; the account whose turn is next comes first. */
  readonly #lines = new Map<string, WaitingRequest[]>();
  #count = 0;

  constructor(
    readonly waitMs: number,
    /** Creates the error for a full queue and for a wait that took too long. */
    readonly refusal: (accountId: string) => Error,
    /** How many requests of one account may wait. */
    readonly perAccountMax = PER_ACCOUNT_MAX,
  ) {}

  get isEmpty(): boolean {
    return this.#count === 0;
  }

  /** Resolves when the request has its slot. Rejects after `waitMs`, or at once when too many wait. */
  wait(accountId: string, slot: Slot): Promise<void> {
    const line = this.#lines.get(accountId) ?? [];
    if (line.length >= this.perAccountMax || this.#count >= TOTAL_MAX)
      return Promise.reject(this.refusal(accountId));
    return new Promise((admit, refuse) => {
      const timer = setTimeout(() => {
        this.#remove(accountId, waiting);
        refuse(this.refusal(accountId));
        this.serve();
      }, this.waitMs);
      timer.unref();
      const waiting: WaitingRequest = { ...slot, admit, refuse, timer };
      line.push(waiting);
      this.#lines.set(accountId, line);
      this.#count++;
      this.serve();
    });
  }

  /** Admits waiting requests as long as there is room, one of each account in turn. */
  serve(): void {
    for (let looked = 0; looked < this.#lines.size; ) {
      const first = this.#lines.entries().next();
      if (first.done) return;
      const [accountId, line] = first.value;
      // A request that waits for its own account's limit does not block the account's other
      // requests.
      const next = line.find((waiting) => waiting.hasRoom());
      // Moves the account to the end, whether it was served or could not be.
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

  #remove(accountId: string, waiting: WaitingRequest): void {
    clearTimeout(waiting.timer);
    const line = this.#lines.get(accountId) ?? [];
    const at = line.indexOf(waiting);
    if (at === -1) return;
    line.splice(at, 1);
    this.#count--;
    if (line.length === 0) this.#lines.delete(accountId);
  }
}
