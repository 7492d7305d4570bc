/**
 * The work on large bodies of the whole process: in steps, few in a turn of the event loop, the
 * accounts in turn. After them everything else gets as much time as they took, if it needs it, so
 * that small requests do not wait for large ones, however many there are.
 */
import { RelayError } from "../failures/relay-error";
import type { InSteps } from "../timing/next-turn";
import { FairQueue } from "./fair-queue";
import { createUnpaidWork, type UnpaidWork } from "./unpaid-work";

export interface BodyWork {
  readonly step: InSteps;
  /** The request was refused: its work counts as unpaid. */
  refuse(): void;
}

export interface LargeWork {
  /** `isUnpaid`: the request is free, so all work on its body counts as unpaid. */
  open(accountId: string, isUnpaid: boolean): BodyWork;
}

/** After so much work in one turn of the event loop the rest begins. A step may take longer. */
const WORK_MS_MAX = 1;
/** A turn of the event loop that took less had nothing else to do. */
const IDLE_TURN_MS = 0.2;
/** How often is looked for an account that has paid off its work. */
const DEBT_LOOK_MS = 5;
/** As many as connections and requests within the process: a body waits with one step. */
const WAITING_MAX = 8192;

const busy = () => new RelayError("service_busy", { retryAfterSeconds: 1 });

class Steps implements LargeWork {
  readonly #waiting = new FairQueue<() => void>(WAITING_MAX, WAITING_MAX);
  /** The work since the last rest, and how much time others have had in this one. */
  #workedMs = 0;
  #restedMs = 0;
  #restAt = 0;
  #isEnding = false;
  #timer: NodeJS.Timeout | undefined;

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
    if (!this.#isResting && this.#mayWork(accountId)) return this.#perform(note, step);
    return new Promise((resolve, reject) => {
      const begin = () => {
        try {
          resolve(this.#perform(note, step));
        } catch (error) {
          reject(error);
        }
      };
      if (this.#waiting.push(accountId, begin)) this.#lookLater();
      else reject(busy());
    });
  }

  readonly #mayWork = (accountId: string) => this.unpaid.waitMs(accountId) === 0;

  get #isResting(): boolean {
    return this.#workedMs >= WORK_MS_MAX;
  }

  #perform<Result>(note: (milliseconds: number) => void, step: () => Result): Result {
    const from = this.now();
    try {
      return step();
    } finally {
      this.#restAt = this.now();
      const milliseconds = this.#restAt - from;
      note(milliseconds);
      this.#workedMs += milliseconds;
      this.#endTurnSoon();
    }
  }

  #endTurnSoon(): void {
    if (this.#isEnding) return;
    this.#isEnding = true;
    setImmediate(this.#endTurn);
  }

  /** For what waits although nothing was done in this turn: its account has a debt. */
  #lookLater(): void {
    this.#timer ??= setTimeout(() => {
      this.#timer = undefined;
      if (!this.#isEnding) this.#endTurn();
    }, DEBT_LOOK_MS);
  }

  readonly #endTurn = () => {
    this.#isEnding = false;
    const now = this.now();
    const turnMs = now - this.#restAt;
    if (this.#isResting && turnMs > IDLE_TURN_MS && this.#restedMs + turnMs < this.#workedMs) {
      this.#restedMs += turnMs;
      this.#restAt = now;
      this.#endTurnSoon();
      return;
    }
    this.#workedMs = 0;
    this.#restedMs = 0;
    while (!this.#isResting) {
      const begin = this.#waiting.take(this.#mayWork);
      if (begin === undefined) break;
      begin();
    }
    if (this.#waiting.size > 0) this.#lookLater();
  };
}

export function createLargeWork(
  unpaid: UnpaidWork = createUnpaidWork(),
  now: () => number = () => performance.now(),
): LargeWork {
  return new Steps(unpaid, now);
}
