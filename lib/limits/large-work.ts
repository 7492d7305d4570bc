/**
 * The work on large bodies of the whole process: in steps, one at a time, the accounts in turn.
 * Between two steps everything else gets as much time as the step took, if it needs it, so that
 * small requests do not wait for large ones, however many there are.
 */
import { RelayError } from "../errors";
import type { InSteps } from "../next-turn";
import { FairQueue } from "./fair-queue";
import { createUnpaidWork, type UnpaidWork } from "./unpaid-work";

/** The work on one body. */
export interface BodyWork {
  readonly step: InSteps;
  /** The request was refused: its work counts as unpaid. */
  refuse(): void;
}

export interface LargeWork {
  /** `isUnpaid`: the request is free, so all work on its body counts as unpaid. */
  open(accountId: string, isUnpaid: boolean): BodyWork;
}

/** A turn of the event loop that took less had nothing else to do. */
const IDLE_TURN_MS = 0.2;
/** How often is looked for an account that has paid off its work. */
const DEBT_LOOK_MS = 5;
/** As many as connections and requests within the process: a body waits with one step. */
const WAITING_MAX = 8192;

const busy = () => new RelayError("service_busy", { retryAfterSeconds: 1 });

class Steps implements LargeWork {
  readonly #waiting = new FairQueue<() => void>(WAITING_MAX, WAITING_MAX);
  #isResting = false;
  /** How much time others may still have before the next step. */
  #owedMs = 0;
  #turnAt = 0;

  constructor(
    readonly unpaid: UnpaidWork,
    readonly now: () => number,
  ) {}

  open(accountId: string, isUnpaid: boolean): BodyWork {
    let workMs = 0;
    const note = (milliseconds: number) => {
      if (isUnpaid) this.unpaid.note(accountId, milliseconds);
      else workMs += milliseconds;
    };
    return {
      step: (step) => this.#inTurn(accountId, note, step),
      refuse: () => {
        if (workMs > 0) this.unpaid.note(accountId, workMs);
        workMs = 0;
      },
    };
  }

  #inTurn<Result>(
    accountId: string,
    note: (milliseconds: number) => void,
    step: () => Result,
  ): Result | Promise<Result> {
    if (!this.#isResting && this.#waiting.size === 0 && this.#mayWork(accountId))
      return this.#perform(note, step);
    return new Promise((resolve, reject) => {
      const begin = () => {
        try {
          resolve(this.#perform(note, step));
        } catch (error) {
          reject(error);
        }
      };
      if (!this.#waiting.push(accountId, begin)) reject(busy());
      else if (!this.#isResting) this.#rest(0);
    });
  }

  readonly #mayWork = (accountId: string) => this.unpaid.waitMs(accountId) === 0;

  #perform<Result>(note: (milliseconds: number) => void, step: () => Result): Result {
    const from = this.now();
    try {
      return step();
    } finally {
      const milliseconds = this.now() - from;
      note(milliseconds);
      this.#rest(milliseconds);
    }
  }

  #rest(owedMs: number): void {
    this.#isResting = true;
    this.#owedMs = owedMs;
    this.#turnAt = this.now();
    setImmediate(this.#endTurn);
  }

  readonly #endTurn = () => {
    const now = this.now();
    const turnMs = now - this.#turnAt;
    this.#turnAt = now;
    this.#owedMs -= turnMs;
    if (this.#owedMs > 0 && turnMs > IDLE_TURN_MS) {
      setImmediate(this.#endTurn);
      return;
    }
    const begin = this.#waiting.take(this.#mayWork);
    this.#isResting = begin !== undefined || this.#waiting.size > 0;
    if (begin !== undefined) begin();
    else if (this.#isResting) setTimeout(this.#endTurn, DEBT_LOOK_MS);
  };
}

export function createLargeWork(
  unpaid: UnpaidWork = createUnpaidWork(),
  now: () => number = () => performance.now(),
): LargeWork {
  return new Steps(unpaid, now);
}
