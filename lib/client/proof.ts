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

/** What the dialog tells once the password was given, or not. */
export function answerProof(isProved: boolean): void {
  waiting?.(isProved);
  tell(null);
}

/** Whether something waits for the password. */
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
