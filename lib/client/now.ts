import { useSyncExternalStore } from "react";

/** One timer for the whole page, running while it has subscribers. */
function createClock(tickMs: number) {
  let now = Date.now();
  let timer: ReturnType<typeof setInterval> | undefined;
  const listeners = new Set<() => void>();
  return {
    read: () => now,
    subscribe(listener: () => void) {
      listeners.add(listener);
      if (timer === undefined) {
        // Without subscribers the clock did not tick.
        now = Date.now();
        timer = setInterval(() => {
          now = Date.now();
          for (const each of listeners) each();
        }, tickMs);
      }
      return () => {
        listeners.delete(listener);
        if (listeners.size > 0) return;
        clearInterval(timer);
        timer = undefined;
      };
    },
  };
}

const calm = createClock(5000);
const quick = createClock(1000);

/** The current time in milliseconds, updated every few seconds. */
export function useNow(): number {
  return useSyncExternalStore(calm.subscribe, calm.read, calm.read);
}

/** The current time in milliseconds, updated every second, for running requests. */
export function useNowEachSecond(): number {
  return useSyncExternalStore(quick.subscribe, quick.read, quick.read);
}
