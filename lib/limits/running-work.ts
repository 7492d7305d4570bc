/**
 * Counts the requests that hold points: bounds them per key, per account and in total, and lets a
 * stopping process wait for the last one.
 */
import { RelayError } from "../failures/relay-error";
import { partOf } from "../process/worker-identity";
import { AdmissionQueue } from "./admission-queue";
import { Counts } from "./counts";

/** The subject of a request. */
interface Worker {
  readonly rateSubject: string;
  readonly accountId: string;
}

export interface RunningWork {
  /** Throws what `enter` would throw at once. It is called before the request's body is read. */
  assertOpen(worker: Worker): void;
  /**
   * Admits one request; each admission must be ended by one `leave`. Returns a promise when all
   * places are taken: accounts take turns, and it rejects with `service_busy` after a while. Throws
   * `key_rate_limited`, `service_busy`, or `service_draining` after `drain` was called.
   */
  enter(worker: Worker): Promise<void> | undefined;
  leave(worker: Worker): void;
  readonly isDraining: boolean;
  readonly count: number;
  /**
   * Admits no more. Resolves with true when nothing runs any more, or with false after `graceMs`.
   */
  drain(graceMs: number): Promise<boolean>;
}

export interface RunningBounds {
  readonly perKeyMax: number;
  readonly perAccountMax: number;
  readonly totalMax: number;
  /** How long a request waits for a place. */
  readonly waitMs: number;
}

/**
 * Several workers share the total. A key or an account has twice its part at each, since its
 * connections are never spread quite evenly.
 */
const defaultRunningBounds: RunningBounds = {
  perKeyMax: Math.min(512, partOf(1024)),
  perAccountMax: Math.min(1024, partOf(2048)),
  totalMax: partOf(4096),
  waitMs: 5_000,
};

const busy = () => new RelayError("service_busy", { retryAfterSeconds: 1 });
const draining = () => new RelayError("service_draining", { retryAfterSeconds: 1 });

function tooMany(who: string, count: number): RelayError {
  const message = `${who} has ${count} running requests, the maximum. Try again when one has ended.`;
  const fault = { name: "requests_at_once", max: count } as const;
  return new RelayError("key_rate_limited", { message, fault, retryAfterSeconds: 1 });
}

class Places implements RunningWork {
  readonly #perKey = new Counts();
  readonly #perAccount = new Counts();
  readonly #queue: AdmissionQueue;
  count = 0;
  isDraining = false;
  #onEmpty: (() => void) | null = null;

  constructor(readonly bounds: RunningBounds) {
    this.#queue = new AdmissionQueue(bounds.waitMs, busy);
  }

  assertOpen(worker: Worker): void {
    if (this.isDraining) throw draining();
    if (this.#isWithinOwn(worker)) return;
    const { perKeyMax, perAccountMax } = this.bounds;
    throw this.#perKey.of(worker.rateSubject) >= perKeyMax
      ? tooMany("This API key", perKeyMax)
      : tooMany("This account", perAccountMax);
  }

  enter(worker: Worker): Promise<void> | undefined {
    this.assertOpen(worker);
    const hasRoom = () => this.count < this.bounds.totalMax && this.#isWithinOwn(worker);
    if (this.#queue.isEmpty && hasRoom()) {
      this.#take(worker);
      return undefined;
    }
    return this.#queue.wait(worker.accountId, { hasRoom, take: () => this.#take(worker) });
  }

  #isWithinOwn({ rateSubject, accountId }: Worker): boolean {
    const { perKeyMax, perAccountMax } = this.bounds;
    return (
      this.#perKey.of(rateSubject) < perKeyMax && this.#perAccount.of(accountId) < perAccountMax
    );
  }

  #take({ rateSubject, accountId }: Worker): void {
    this.#perKey.change(rateSubject, 1);
    this.#perAccount.change(accountId, 1);
    this.count++;
  }

  leave({ rateSubject, accountId }: Worker): void {
    this.#perKey.change(rateSubject, -1);
    this.#perAccount.change(accountId, -1);
    this.count--;
    if (!this.#queue.isEmpty) this.#queue.serve();
    if (this.count === 0) this.#onEmpty?.();
  }

  drain(graceMs: number): Promise<boolean> {
    this.isDraining = true;
    this.#queue.refuseAll(draining());
    if (this.count === 0) return Promise.resolve(true);
    return new Promise((resolve) => {
      const timer = setTimeout(() => resolve(false), graceMs);
      this.#onEmpty = () => {
        clearTimeout(timer);
        resolve(true);
      };
    });
  }
}

export function createRunningWork(bounds: RunningBounds = defaultRunningBounds): RunningWork {
  return new Places(bounds);
}
