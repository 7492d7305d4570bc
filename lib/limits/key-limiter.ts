/** Limits the requests per minute of each API key: an exact sliding minute. */

import { POLLS_PER_MINUTE } from "../contract/limits";
import { OwnWindows, type WindowCount, type Windows, whenCounted } from "./windows";

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

const resultOf = (limit: number, { waitMs, used, oldestLeavesMs }: WindowCount) => ({
  isAllowed: waitMs === 0,
  limit,
  remaining: waitMs === 0 ? Math.max(0, limit - used) : 0,
  resetSeconds: Math.max(1, Math.ceil((waitMs || oldestLeavesMs) / 1000)),
});

export function createKeyLimiter(windows?: OwnWindows): LocalKeyLimiter;
export function createKeyLimiter(windows: Windows): KeyLimiter;
export function createKeyLimiter(windows: Windows = new OwnWindows()): KeyLimiter {
  return {
    take(subject, requestsPerMinute, bucket) {
      const limit = bucket === "poll" ? POLLS_PER_MINUTE : requestsPerMinute;
      const name = `key:${subject}:${bucket}`;
      const count = windows.take([{ name, windowMs: MINUTE_MS, limit }]);
      return whenCounted(count, (known) => resultOf(limit, known));
    },
  };
}
