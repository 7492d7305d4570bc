import { useSyncExternalStore } from "react";
import { onProofWanted } from "./call";

type Answer = (isProved: boolean) => void;

let waiting: Answer | null = null;
const listeners = new Set<() => void>();

function tell(next: Answer | null): void {
  waiting = next;
  for (const listener of listeners) listener();
}

function askForProof(): Promise<boolean> {
  waiting?.(false);
  return new Promise((resolve) => tell(resolve));
}

/** Called by the dialog: true when the password was accepted, false when the user cancelled. */
export function answerProof(isProved: boolean): void {
  waiting?.(isProved);
  tell(null);
}

/** Whether a request waits for the password. */
export function useIsProofAsked(): boolean {
  return useSyncExternalStore(
    (listener) => {
      listeners.add(listener);
      return () => {
        listeners.delete(listener);
      };
    },
    () => waiting !== null,
    () => false,
  );
}

onProofWanted(askForProof);
