/**
 * Limits the requests per minute of each API key: an exact sliding minute, in this process's memory
 * or shared by all processes.
 */

import { POLLS_PER_MINUTE } from "../contract/limits";
import type { LeasedWindows, WindowCount } from "./leased-windows";
import type { SharedWindows } from "./shared-windows";
import { SlidingWindow } from "./sliding-window";

type RateBucket = "request" | "poll";

export interface RateLimitResult {
  readonly isAllowed: boolean;
  readonly limit: number;
  readonly remaining: number;
  /**
   * Whole seconds until the oldest counted request leaves the minute; after a refusal, until
   * another request is allowed.
   */
  readonly resetSeconds: number;
}

export interface KeyLimiter {
  /**
   * Counts one request of `subject` if its limit allows it. Polls have a bucket of their own with
   * 600 a minute.
   */
  take(
    subject: string,
    requestsPerMinute: number,
    bucket: RateBucket,
  ): RateLimitResult | Promise<RateLimitResult>;
}

export interface LocalKeyLimiter extends KeyLimiter {
  take(subject: string, requestsPerMinute: number, bucket: RateBucket): RateLimitResult;
}

const MINUTE_MS = 60_000;

/** The windows of this process. Idle ones are removed. */
class KeyWindows {
  readonly #buckets = {
    request: new Map<string, SlidingWindow>(),
    poll: new Map<string, SlidingWindow>(),
  };
  #sweptAt: number;

  constructor(readonly clock: () => number) {
    this.#sweptAt = clock();
  }

  /** Whole milliseconds: fractions would add up to a wait longer than the window. */
  now(): number {
    const now = Math.floor(this.clock());
    if (now - this.#sweptAt > MINUTE_MS) this.#sweep(now);
    return now;
  }

  of(subject: string, bucket: RateBucket): SlidingWindow {
    let window = this.#buckets[bucket].get(subject);
    if (!window) {
      window = new SlidingWindow(MINUTE_MS);
      this.#buckets[bucket].set(subject, window);
    }
    return window;
  }

  #sweep(now: number): void {
    this.#sweptAt = now;
    for (const windows of Object.values(this.#buckets)) {
      for (const [key, window] of windows) if (window.count(now) === 0) windows.delete(key);
    }
  }
}

const limitOf = (requestsPerMinute: number, bucket: RateBucket) =>
  bucket === "poll" ? POLLS_PER_MINUTE : requestsPerMinute;

/** Counts against `allowed`, this process's part; the client is told the whole `limit`. */
function takeHere(
  window: SlidingWindow,
  now: number,
  allowed: number,
  limit: number,
): RateLimitResult {
  const used = window.count(now);
  if (used >= allowed) {
    return {
      isAllowed: false,
      limit,
      remaining: 0,
      resetSeconds: Math.max(1, Math.ceil(window.untilBelow(allowed, now) / 1000)),
    };
  }
  window.add(now);
  return {
    isAllowed: true,
    limit,
    remaining: allowed - used - 1,
    resetSeconds: Math.ceil(window.untilOldestLeaves(now) / 1000),
  };
}

export function createKeyLimiter(clock: () => number = () => performance.now()): LocalKeyLimiter {
  const windows = new KeyWindows(clock);
  return {
    take(subject, requestsPerMinute, bucket) {
      const now = windows.now();
      const limit = limitOf(requestsPerMinute, bucket);
      return takeHere(windows.of(subject, bucket), now, limit, limit);
    },
  };
}

/** One process's part of a limit: at least one. */
export const shareOf = (limit: number, processes: number) =>
  Math.max(1, Math.floor(limit / processes));

/**
 * The limiter over all processes. This process also counts what it admits itself, so that it can
 * continue alone at any time.
 */
export function createSharedKeyLimiter(
  shared: SharedWindows,
  clock: () => number = () => performance.now(),
): KeyLimiter {
  const windows = new KeyWindows(clock);
  return {
    take(subject, requestsPerMinute, bucket) {
      const now = windows.now();
      const limit = limitOf(requestsPerMinute, bucket);
      const window = windows.of(subject, bucket);
      const share = shareOf(limit, shared.processes);
      if (!shared.isUp) return takeHere(window, now, share, limit);
      const own = shared.isForgetful ? share : limit;
      if (window.count(now) >= own) return takeHere(window, now, own, limit);
      const name = `key:${subject}:${bucket}`;
      return shared.take([{ name, windowMs: MINUTE_MS, limit }]).then((answer) => {
        if (answer === null) return takeHere(window, now, share, limit);
        const { waitMs, used, oldestLeavesMs } = answer;
        if (waitMs > 0)
          return { isAllowed: false, limit, remaining: 0, resetSeconds: Math.ceil(waitMs / 1000) };
        const here = takeHere(window, now, shared.isForgetful ? share : limit, limit);
        if (here.isAllowed)
          return {
            ...here,
            remaining: Math.max(0, limit - used),
            resetSeconds: Math.ceil(oldestLeavesMs / 1000),
          };
        shared.giveBack([name]);
        return here;
      });
    },
  };
}

/** The limiter over all workers of this machine, whose primary process counts. */
export function createLeasedKeyLimiter(windows: Pick<LeasedWindows, "take">): KeyLimiter {
  return {
    take(subject, requestsPerMinute, bucket) {
      const limit = limitOf(requestsPerMinute, bucket);
      const resultOf = ({ waitMs, used, oldestLeavesMs }: WindowCount): RateLimitResult => ({
        isAllowed: waitMs === 0,
        limit,
        remaining: Math.max(0, limit - used),
        resetSeconds: Math.max(1, Math.ceil((waitMs || oldestLeavesMs) / 1000)),
      });
      const name = `key:${subject}:${bucket}`;
      const count = windows.take({ name, windowMs: MINUTE_MS, limit });
      return count instanceof Promise ? count.then(resultOf) : resultOf(count);
    },
  };
}
