import { useSyncExternalStore } from "react";

/** A value that parts of a page share: each that uses it is drawn again when it changes. */
export function sharedValue<Value>(first: Value) {
  let value = first;
  const listeners = new Set<() => void>();
  const read = () => value;
  const subscribe = (listener: () => void) => {
    listeners.add(listener);
    return () => void listeners.delete(listener);
  };
  return {
    read,
    set(next: Value): void {
      value = next;
      for (const listener of listeners) listener();
    },
    /** On the server, and until hydration, the first value. */
    use: (): Value => useSyncExternalStore(subscribe, read, () => first),
  };
}
