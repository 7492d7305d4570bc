/** Work that repeats itself in turns while the process runs. */

interface Work {
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

export interface WakeableWorker extends Running {
  /** Begins the next turn in at most so many milliseconds, and not before the present one has ended. */
  wake(withinMs?: number): void;
}

/** The wait between two turns, which can be made shorter while it lasts and before it begins. */
class Wait {
  #until = Number.POSITIVE_INFINITY;
  #timer: NodeJS.Timeout | undefined;
  #end: (() => void) | undefined;

  /** What was asked for since the last wait ended counts too. */
  begin(milliseconds: number): Promise<void> {
    return new Promise((resolve) => {
      this.#end = resolve;
      this.#until = Math.min(this.#until, performance.now() + milliseconds);
      this.#set();
    });
  }

  shorten(milliseconds: number): void {
    const until = performance.now() + milliseconds;
    if (until >= this.#until) return;
    this.#until = until;
    if (this.#end !== undefined) this.#set();
  }

  end(): void {
    clearTimeout(this.#timer);
    this.#until = Number.POSITIVE_INFINITY;
    this.#end?.();
    this.#end = undefined;
  }

  #set(): void {
    clearTimeout(this.#timer);
    this.#timer = setTimeout(() => this.end(), this.#until - performance.now()).unref();
  }
}

/**
 * Takes turns until it is closed; it does not keep the process alive. Failures in a row are reported
 * once, and none after the close.
 */
export function startWorker({
  turn,
  afterFailureMs,
  onProblem,
  reportedAfter,
}: Work): WakeableWorker {
  const stopped = new AbortController();
  const wait = new Wait();
  let failures = 0;
  async function waitAfterTurn(): Promise<number> {
    try {
      const waitMs = await turn(stopped.signal);
      failures = 0;
      return waitMs;
    } catch (error) {
      failures++;
      const isReported = failures === (reportedAfter?.(error) ?? 1);
      if (isReported && !stopped.signal.aborted) onProblem(error);
      return afterFailureMs;
    }
  }
  async function work(): Promise<void> {
    while (!stopped.signal.aborted) {
      const waitMs = await waitAfterTurn();
      if (!stopped.signal.aborted) await wait.begin(waitMs);
    }
  }
  const working = work();
  return {
    wake: (withinMs = 0) => wait.shorten(withinMs),
    async close() {
      stopped.abort();
      wait.end();
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
