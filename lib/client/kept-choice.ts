/** A choice of how a page looks, remembered in this browser. */
import { useSyncExternalStore } from "react";

const PREFIX = "relay.choice.";
const listeners = new Set<() => void>();

function read(name: string): string | null {
  try {
    return localStorage.getItem(PREFIX + name);
  } catch {
    return null;
  }
}

function keep(name: string, value: string): void {
  try {
    localStorage.setItem(PREFIX + name, value);
  } catch {
    // A storage that is full or forbidden keeps nothing.
  }
  for (const listener of listeners) listener();
}

function subscribe(listener: () => void): () => void {
  listeners.add(listener);
  return () => {
    listeners.delete(listener);
  };
}

/** One of `options`; the first until another was chosen. */
export function useKeptChoice<Value extends string>(
  name: string,
  options: readonly [Value, ...Value[]],
): [Value, (value: Value) => void] {
  const kept = useSyncExternalStore(
    subscribe,
    () => read(name),
    () => null,
  );
  const value = options.find((each) => each === kept) ?? options[0];
  return [value, (next) => keep(name, next)];
}
