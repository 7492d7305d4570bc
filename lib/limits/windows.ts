/**
 * Sliding windows in which requests are counted: in this process, in the primary process of this
 * machine, or in Redis. What limits keys and channels does not know which.
 */
import { SlidingWindow } from "./sliding-window";

export interface Window {
  readonly name: string;
  readonly windowMs: number;
  readonly limit: number;
}

export interface WindowCount {
  /** 0 when the request was counted; else the milliseconds until one may be. */
  readonly waitMs: number;
  /** The requests in the first window, with this one if it was counted. */
  readonly used: number;
  /** Milliseconds until the oldest request leaves the first window. */
  readonly oldestLeavesMs: number;
}

export interface Windows {
  /** Counts one request in every window, or in none. */
  take(windows: readonly Window[]): WindowCount | Promise<WindowCount>;
  /** Uncounts the newest request in each window. */
  giveBack(windows: readonly Window[]): void;
}

/** What follows from a count, which is here now or comes later. */
export const whenCounted = <Result>(
  count: WindowCount | Promise<WindowCount>,
  then: (count: WindowCount) => Result | Promise<Result>,
): Result | Promise<Result> => (count instanceof Promise ? count.then(then) : then(count));

/** Windows without requests are forgotten after this time, which is as long as the longest. */
const SWEEP_MS = 60_000;

/** The windows of this process. */
export class OwnWindows implements Windows {
  readonly #windows = new Map<string, SlidingWindow>();
  #sweptAt: number;

  constructor(readonly clock: () => number = () => performance.now()) {
    this.#sweptAt = clock();
  }

  /** As `take`, and counts nothing. */
  look(windows: readonly Window[]): WindowCount {
    const now = this.#now();
    let waitMs = 0;
    for (const window of windows)
      waitMs = Math.max(waitMs, this.#of(window).untilBelow(window.limit, now));
    return this.#counted(windows, waitMs, now);
  }

  take(windows: readonly Window[]): WindowCount {
    const seen = this.look(windows);
    if (seen.waitMs > 0) return seen;
    const now = this.#now();
    for (const window of windows) this.#of(window).add(now);
    return this.#counted(windows, 0, now);
  }

  giveBack(windows: readonly Window[]): void {
    for (const { name } of windows) this.#windows.get(name)?.removeNewest();
  }

  #counted([first]: readonly Window[], waitMs: number, now: number): WindowCount {
    const window = first && this.#of(first);
    return {
      waitMs,
      used: window?.count(now) ?? 0,
      oldestLeavesMs: window?.untilOldestLeaves(now) ?? 0,
    };
  }

  #of({ name, windowMs }: Window): SlidingWindow {
    const known = this.#windows.get(name);
    if (known) return known;
    const window = new SlidingWindow(windowMs);
    this.#windows.set(name, window);
    return window;
  }

  /** Whole milliseconds: fractions would add up to a wait longer than the window. */
  #now(): number {
    const now = Math.floor(this.clock());
    if (now - this.#sweptAt > SWEEP_MS) {
      this.#sweptAt = now;
      for (const [name, window] of this.#windows)
        if (window.count(now) === 0) this.#windows.delete(name);
    }
    return now;
  }
}
