/**
 * The exact windows of all workers, in the primary process. At any moment the requests of a window
 * and those that are lent to workers are together at most its limit.
 */
import { type Ask, type Grant, type Report, sharedClock } from "./leased-counts";
import { SlidingWindow } from "./sliding-window";

/** A window without requests and loans is forgotten after this time. */
const SWEEP_MS = 60_000;
/** How long an answer waits for what other workers have borrowed and not used. */
const RECALL_MS = 250;
const LENT_MAX = 256;

interface Counted {
  readonly window: SlidingWindow;
  /** By worker: lent requests whose use is not known yet. */
  readonly lent: Map<number, number>;
  limit: number;
}

interface Waiting {
  readonly worker: number;
  readonly ask: Ask;
  readonly grant: (grant: Grant) => void;
}

/** Asks that wait until other workers have said what they have not used. */
interface Recall {
  /** The workers that have not answered. */
  readonly from: Set<number>;
  readonly waiting: Waiting[];
  readonly timer: NodeJS.Timeout;
}

export interface AuthorityOptions {
  /** How many workers share the windows. */
  readonly workers: number;
  /** Asks a worker to return what it has not used. It answers with `report`, then `recalled`. */
  readonly recall: (worker: number, name: string) => void;
  readonly clock?: () => number;
}

export class WindowAuthority {
  readonly #counted = new Map<string, Counted>();
  readonly #recalls = new Map<string, Recall>();
  readonly #clock: () => number;
  #sweptAt: number;

  constructor(readonly options: AuthorityOptions) {
    this.#clock = options.clock ?? sharedClock;
    this.#sweptAt = this.#clock();
  }

  /** Answers now, or after other workers have returned what they do not use. */
  ask(worker: number, ask: Ask, grant: (grant: Grant) => void): void {
    const now = this.#clock();
    if (now - this.#sweptAt > SWEEP_MS) this.#sweep(now);
    const counted = this.#of(ask);
    const asked: Waiting = { worker, ask, grant };
    const recall = this.#recalls.get(ask.name);
    if (recall) recall.waiting.push(asked);
    else if (this.#free(counted, now) >= ask.waiting) this.#answer(counted, asked, true);
    else this.#recall(counted, asked);
  }

  report(worker: number, { name, usedAt, returned, undone }: Report): void {
    const counted = this.#counted.get(name);
    if (!counted) return;
    const { window, lent } = counted;
    const left = Math.max(0, (lent.get(worker) ?? 0) - usedAt.length - returned);
    if (left > 0) lent.set(worker, left);
    else lent.delete(worker);
    // A report that was late must not count its requests as older than they are to the window.
    for (const moment of usedAt) window.add(Math.min(moment, this.#clock()));
    for (let count = 0; count < undone; count++) window.removeNewest();
  }

  /** The worker has returned what it had of this window. */
  recalled(worker: number, name: string): void {
    const recall = this.#recalls.get(name);
    if (!recall?.from.delete(worker) || recall.from.size > 0) return;
    this.#endRecall(name);
  }

  /**
   * A worker is gone. What it had borrowed counts as used now: it may have admitted requests that
   * nobody was told of.
   */
  forget(worker: number): void {
    const now = this.#clock();
    for (const { window, lent } of this.#counted.values()) {
      for (let count = lent.get(worker) ?? 0; count > 0; count--) window.add(now);
      lent.delete(worker);
    }
    for (const name of [...this.#recalls.keys()]) this.recalled(worker, name);
  }

  get size(): number {
    return this.#counted.size;
  }

  close(): void {
    for (const name of [...this.#recalls.keys()]) this.#endRecall(name);
  }

  #of({ name, windowMs, limit }: Ask): Counted {
    let counted = this.#counted.get(name);
    if (!counted) {
      counted = { window: new SlidingWindow(windowMs), lent: new Map(), limit };
      this.#counted.set(name, counted);
    }
    counted.limit = limit;
    return counted;
  }

  #used({ window, lent }: Counted, now: number): number {
    let used = window.count(now);
    for (const count of lent.values()) used += count;
    return used;
  }

  #free(counted: Counted, now: number): number {
    return Math.max(0, counted.limit - this.#used(counted, now));
  }

  #recall(counted: Counted, asked: Waiting): void {
    const { name } = asked.ask;
    const from = new Set([...counted.lent.keys()].filter((worker) => worker !== asked.worker));
    if (from.size === 0) {
      this.#answer(counted, asked, false);
      return;
    }
    const timer = setTimeout(() => this.#endRecall(name), RECALL_MS);
    this.#recalls.set(name, { from, waiting: [asked], timer });
    for (const worker of from) this.options.recall(worker, name);
  }

  #endRecall(name: string): void {
    const recall = this.#recalls.get(name);
    const counted = this.#counted.get(name);
    if (!recall || !counted) return;
    clearTimeout(recall.timer);
    this.#recalls.delete(name);
    for (const asked of recall.waiting) this.#answer(counted, asked, false);
  }

  /** `mayLend`: nobody waits for what is left. */
  #answer(counted: Counted, { worker, ask, grant }: Waiting, mayLend: boolean): void {
    const { window, lent } = counted;
    const now = this.#clock();
    const free = this.#free(counted, now);
    const admitted = Math.min(ask.waiting, free);
    for (let count = 0; count < admitted; count++) window.add(now);
    const spare = Math.floor((free - admitted) / (2 * this.options.workers));
    const more = mayLend ? Math.min(spare, LENT_MAX) : 0;
    if (more > 0) lent.set(worker, (lent.get(worker) ?? 0) + more);
    grant({
      name: ask.name,
      admitted,
      lent: more,
      used: this.#used(counted, now) - more,
      oldestLeavesMs: window.untilOldestLeaves(now),
      waitMs: admitted < ask.waiting ? Math.max(1, window.untilBelow(counted.limit, now)) : 0,
    });
  }

  #sweep(now: number): void {
    this.#sweptAt = now;
    for (const [name, counted] of this.#counted)
      if (!this.#recalls.has(name) && this.#used(counted, now) === 0) this.#counted.delete(name);
  }
}
