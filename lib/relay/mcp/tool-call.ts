import type { Ask } from "./ask";

/** What a tool has beside its arguments. */
export interface ToolCall {
  readonly ask: Ask;
  /** Tells the client how far the call is; does nothing for a client that did not ask for it. */
  report(progress: number, message: string): void;
  /** Aborted when the client has disconnected. */
  readonly signal: AbortSignal;
  /** True when this process is about to stop, so that nothing may wait any longer. */
  isDraining(): boolean;
}

const BEAT_MS = 5000;

/** Reports the seconds that pass while `work` runs, so that the client does not give up. */
export async function withProgress<Result>(
  { report }: ToolCall,
  message: string,
  work: Promise<Result>,
): Promise<Result> {
  const startedAt = performance.now();
  report(0, message);
  const beat = setInterval(
    () => report(Math.round((performance.now() - startedAt) / 1000), message),
    BEAT_MS,
  );
  try {
    return await work;
  } finally {
    clearInterval(beat);
  }
}
