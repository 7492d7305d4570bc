/** How long an upstream is waited for: its silence is bounded, and so is the call as a whole. */
export interface CallDeadlines {
  /** Silence before an answer has begun. */
  readonly firstByteMs: number;
  /** Silence within it. */
  readonly idleMs: number;
  readonly totalMs: number;
}

/** Times one call. */
export class CallTimer {
  readonly #startedAt = performance.now();
  #progressAt = this.#startedAt;
  #hasBegun = false;

  constructor(readonly deadlines: CallDeadlines) {}

  /** The answer has begun: from now on the silence within it is bounded. */
  begin(): void {
    this.#hasBegun = true;
  }

  /** The silence ends, and is counted from now on. */
  progress(): void {
    this.#progressAt = performance.now();
  }

  elapsedMs(now: number): number {
    return now - this.#startedAt;
  }

  remainingMs(now: number): number {
    return this.deadlines.totalMs - this.elapsedMs(now);
  }

  /** What was exceeded, in words for the log; null: nothing was. */
  exceeded(now: number): string | null {
    const elapsedMs = this.elapsedMs(now);
    const silentMs = now - this.#progressAt;
    const silentMsMax = this.#hasBegun ? this.deadlines.idleMs : this.deadlines.firstByteMs;
    if (silentMs <= silentMsMax && elapsedMs <= this.deadlines.totalMs) return null;
    return `no answer: ${Math.round(elapsedMs)} ms in all, ${Math.round(silentMs)} ms silent`;
  }
}
