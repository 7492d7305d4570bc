import { pause } from "../timing/pause";

/** A value that was read, and when. */
export interface Cached<Value> {
  readonly value: Value;
  readonly at: Date;
}

/**
 * Keeps what was read for some time, so that however many ask, it is read once. Afterwards the
 * callers wait for the next read, but not for long: then they get the former value, or null.
 */
export function cached<Value>(
  read: () => Promise<Value>,
  { forMs, waitMs }: { forMs: number; waitMs: number },
  clock: () => number = () => performance.now(),
): () => Promise<Cached<Value> | null> {
  let last: Cached<Value> | null = null;
  let askedAt = Number.NEGATIVE_INFINITY;
  let reading: Promise<void> | null = null;
  return async () => {
    if (reading === null && clock() - askedAt >= forMs) {
      askedAt = clock();
      reading = read()
        .then(
          (value) => {
            last = { value, at: new Date() };
          },
          () => {},
        )
        .finally(() => {
          reading = null;
        });
    }
    if (reading !== null) await Promise.race([reading, pause(waitMs)]);
    return last;
  };
}
