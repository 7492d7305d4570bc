import { useSyncExternalStore } from "react";
import type * as z from "zod";
import { RequestError, type RequestOptions, request } from "./request";

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

/** As `request`; where the server wants the password again, asks for it and goes on. Throws `proof_required` when it is not given. @public */
export async function requestWithProof<Answer>(path: string, schema: z.ZodType<Answer>, options: RequestOptions): Promise<Answer> {
  try {
    return await request(path, schema, options);
  } catch (error) {
    if (!(error instanceof RequestError) || error.code !== "proof_required" || !(await askForProof())) throw error;
    return request(path, schema, options);
  }
}
