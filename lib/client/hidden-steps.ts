/** Whether a user has hidden the first steps in this browser. */
import { useSyncExternalStore } from "react";

const PREFIX = "relay.steps.";
const listeners = new Set<() => void>();

function read(userId: string): boolean {
  try {
    return localStorage.getItem(PREFIX + userId) === "hidden";
  } catch {
    return false;
  }
}

function hide(userId: string): void {
  try {
    localStorage.setItem(PREFIX + userId, "hidden");
  } catch {
    // A storage that is full or forbidden keeps nothing.
  }
  for (const listener of listeners) listener();
}

export function useHiddenSteps(userId: string): { isHidden: boolean; hide: () => void } {
  const isHidden = useSyncExternalStore(
    (listener) => {
      listeners.add(listener);
      return () => {
        listeners.delete(listener);
      };
    },
    () => read(userId),
    () => true,
  );
  return { isHidden, hide: () => hide(userId) };
}
