/** Counts requests that hold points: bounds them per key and in all, and lets a stopping process wait for the last. */
import { RelayError } from "../errors";

export interface RunningWork {
  /**
   * Admits one request of `apiKeyId`; every admission is ended by one `leave`. Throws `key_rate_limited`,
   * `service_busy`, or `service_draining` once `drain` was called.
   */
  enter(apiKeyId: string): void;
  leave(apiKeyId: string): void;
  readonly isDraining: boolean;
  readonly count: number;
  /** Admits no more and resolves when nothing runs: true, or after `graceMs`: false. */
  drain(graceMs: number): Promise<boolean>;
}

export interface RunningBounds {
  readonly perKeyMax: number;
  readonly totalMax: number;
}

export const defaultRunningBounds: RunningBounds = { perKeyMax: 512, totalMax: 4096 };

export function createRunningWork(bounds: RunningBounds = defaultRunningBounds): RunningWork {
  const perKey = new Map<string, number>();
  let count = 0;
  let isDraining = false;
  let onEmpty: (() => void) | null = null;
  return {
    enter(apiKeyId) {
      if (isDraining) throw new RelayError("service_draining", { retryAfterSeconds: 1 });
      if (count >= bounds.totalMax) throw new RelayError("service_busy", { retryAfterSeconds: 1 });
      const own = perKey.get(apiKeyId) ?? 0;
      if (own >= bounds.perKeyMax) {
        const message = `This API key has ${own} requests running, the most it may have at once.`;
        throw new RelayError("key_rate_limited", { message, retryAfterSeconds: 1 });
      }
      perKey.set(apiKeyId, own + 1);
      count++;
    },
    leave(apiKeyId) {
      const own = (perKey.get(apiKeyId) ?? 1) - 1;
      if (own === 0) perKey.delete(apiKeyId);
      else perKey.set(apiKeyId, own);
      if (--count === 0) onEmpty?.();
    },
    get isDraining() {
      return isDraining;
    },
    get count() {
      return count;
    },
    drain(graceMs) {
      isDraining = true;
      if (count === 0) return Promise.resolve(true);
      return new Promise((resolve) => {
        const timer = setTimeout(() => resolve(false), graceMs);
        onEmpty = () => {
          clearTimeout(timer);
          resolve(true);
        };
      });
    },
  };
}
