import { setTimeout } from "node:timers/promises";

interface PauseOptions {
  /** Ends the pause early. */
  readonly signal?: AbortSignal;
  /** True: the pause does not keep the process alive. */
  readonly isUnref?: boolean;
}

/** Resolves after the time, or when the signal fires; never rejects. */
export async function pause(
  milliseconds: number,
  { signal, isUnref = false }: PauseOptions = {},
): Promise<void> {
  await setTimeout(milliseconds, undefined, { ref: !isUnref, ...(signal && { signal }) }).catch(
    () => {},
  );
}
