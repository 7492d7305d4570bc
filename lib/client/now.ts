import { useSyncExternalStore } from "react";

/** One timer for the whole page, as long as somebody looks at it. */
function createClock(tickMs: number) {
  let now = Date.now();
  let timer: ReturnType<typeof setInterval> | undefined;
  const listeners = new Set<() => void>();
  return {
    read: () => now,
    subscribe(listener: () => void) {
      listeners.add(listener);
      if (timer === undefined) {
        // Nobody looked meanwhile, and the clock stood still.
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

/** The present moment in milliseconds, anew every few seconds. */
export function useNow(): number {
  return useSyncExternalStore(calm.subscribe, calm.read, calm.read);
}

/** The present moment in milliseconds, anew every second: for what is watched while it runs. */
export function useNowEachSecond(): number {
  return useSyncExternalStore(quick.subscribe, quick.read, quick.read);
}
