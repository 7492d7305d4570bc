import { onProofWanted } from "./call";
import { sharedValue } from "./shared-value";

type Answer = (isProved: boolean) => void;

const waiting = sharedValue<Answer | null>(null);

function askForProof(): Promise<boolean> {
  waiting.read()?.(false);
  return new Promise((resolve) => waiting.set(resolve));
}

/** Called by the dialog: true when the password was accepted, false when the user cancelled. */
export function answerProof(isProved: boolean): void {
  waiting.read()?.(isProved);
  waiting.set(null);
}

/** Whether a request waits for the password. */
export const useIsProofAsked = (): boolean => waiting.use() !== null;

onProofWanted(askForProof);
