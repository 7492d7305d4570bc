import { useSyncExternalStore } from "react";

export type Overlay = "palette" | "shortcuts" | null;

let open: Overlay = null;
const listeners = new Set<() => void>();

/**
 * Opens the command palette or the list of shortcuts from anywhere on the page; null closes both.
 */
export function showOverlay(next: Overlay): void {
  open = next;
  for (const listener of listeners) listener();
}

function subscribe(listener: () => void) {
  listeners.add(listener);
  return () => {
    listeners.delete(listener);
  };
}

export function useOverlay(): Overlay {
  return useSyncExternalStore(
    subscribe,
    () => open,
    () => null,
  );
}
