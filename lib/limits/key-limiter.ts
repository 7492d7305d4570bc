/** Requests a minute per API key: an exact sliding minute on a monotonic clock, in this process's memory. */
import { SlidingWindow } from "./sliding-window";

export type RateBucket = "request" | "poll";

export interface Taken {
  readonly isAllowed: boolean;
  readonly limit: number;
  readonly remaining: number;
  /** Whole seconds until the oldest counted request leaves the minute; when refused, until one more is free. */
  readonly resetSeconds: number;
}

export interface KeyLimiter {
  /** Counts one request of `apiKeyId` if its limit allows it. Polls have a bucket of their own, 600 a minute. */
  take(apiKeyId: string, requestsPerMinute: number, bucket: RateBucket): Taken;
}

const MINUTE_MS = 60_000;
export const POLLS_PER_MINUTE = 600;

export function createKeyLimiter(clock: () => number = () => performance.now()): KeyLimiter {
  const buckets = { request: new Map<string, SlidingWindow>(), poll: new Map<string, SlidingWindow>() };
  let sweptAt = clock();

  function sweep(now: number): void {
    sweptAt = now;
    for (const windows of Object.values(buckets)) {
      for (const [key, window] of windows) if (window.count(now) === 0) windows.delete(key);
    }
  }

  return {
    take(apiKeyId, requestsPerMinute, bucket) {
      // Whole milliseconds: sums of fractions would make a wait longer than its window.
      const now = Math.floor(clock());
      if (now - sweptAt > MINUTE_MS) sweep(now);
      const limit = bucket === "poll" ? POLLS_PER_MINUTE : requestsPerMinute;
      let window = buckets[bucket].get(apiKeyId);
      if (!window) {
        window = new SlidingWindow(MINUTE_MS);
        buckets[bucket].set(apiKeyId, window);
      }
      const used = window.count(now);
      if (used >= limit) {
        return { isAllowed: false, limit, remaining: 0, resetSeconds: Math.max(1, Math.ceil(window.untilBelow(limit, now) / 1000)) };
      }
      window.add(now);
      return { isAllowed: true, limit, remaining: limit - used - 1, resetSeconds: Math.ceil(window.untilOldestLeaves(now) / 1000) };
    },
  };
}
