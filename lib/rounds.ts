/** Work that repeats itself in turns while the process runs. */
import { pause } from "./pause";

interface Rounds {
  /**
   * Does some of the work, and stops early with the signal. Returns how long to wait before the next
   * turn, in milliseconds.
   */
  readonly turn: (stopped: AbortSignal) => Promise<number>;
  /** How long to wait after a failure. */
  readonly afterFailureMs: number;
  readonly onProblem: (error: unknown) => void;
  /** Which failure in a row is reported; the first one where it is absent. */
  readonly reportedAfter?: (error: unknown) => number;
}

export interface Running {
  /** Resolves when the turn that runs has ended. */
  close(): Promise<void>;
}

/**
 * Takes turns until it is closed; it does not keep the process alive. Failures in a row are reported
 * once, and none after the close.
 */
export function startRounds({ turn, afterFailureMs, onProblem, reportedAfter }: Rounds): Running {
  const stopped = new AbortController();
  let failures = 0;
  async function waitAfterTurn(): Promise<number> {
    try {
      const wait = await turn(stopped.signal);
      failures = 0;
      return wait;
    } catch (error) {
      failures++;
      const isReported = failures === (reportedAfter?.(error) ?? 1);
      if (isReported && !stopped.signal.aborted) onProblem(error);
      return afterFailureMs;
    }
  }
  async function work(): Promise<void> {
    while (!stopped.signal.aborted)
      await pause(await waitAfterTurn(), { signal: stopped.signal, isUnref: true });
  }
  const working = work();
  return {
    async close() {
      stopped.abort();
      await working;
    },
  };
}

/** A turn that looks at its intervals, and works for half of the time as long as more is left. */
export function halfOfTheTime(
  doPiece: () => Promise<boolean>,
  lookMs: number,
): () => Promise<number> {
  return async () => {
    const startedAt = performance.now();
    return (await doPiece()) ? performance.now() - startedAt : lookMs;
  };
}
