/** Texts that this browser keeps for its user. A storage that is full or forbidden keeps nothing. */
import { useSyncExternalStore } from "react";

const listeners = new Set<() => void>();

/** Null where nothing is kept under the name. */
export function keptText(name: string): string | null {
  try {
    return localStorage.getItem(name);
  } catch {
    return null;
  }
}

export function keepText(name: string, text: string): void {
  try {
    localStorage.setItem(name, text);
  } catch {
    // The page works without it.
  }
  for (const listener of listeners) listener();
}

function subscribe(listener: () => void) {
  listeners.add(listener);
  return () => void listeners.delete(listener);
}

/** `atFirst`: on the server, and until hydration. */
export const useKeptText = (name: string, atFirst: string | null): string | null =>
  useSyncExternalStore(
    subscribe,
    () => keptText(name),
    () => atFirst,
  );
