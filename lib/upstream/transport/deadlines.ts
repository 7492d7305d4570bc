/** The deadlines of a call: on the upstream's silence, and on the call as a whole. */
export interface CallDeadlines {
  /** How long the upstream may be silent before its answer starts. */
  readonly firstByteMs: number;
  /** How long the upstream may be silent during its answer. */
  readonly idleMs: number;
  readonly totalMs: number;
}

/** Measures one call. */
export class CallTimer {
  readonly #startedAt = performance.now();
  #progressAt = this.#startedAt;
  #hasBegun = false;

  constructor(readonly deadlines: CallDeadlines) {}

  /** The answer has started: the bound on silence within it applies from now on. */
  begin(): void {
    this.#hasBegun = true;
  }

  /** Bytes arrived: the silence is measured from now on. */
  progress(): void {
    this.#progressAt = performance.now();
  }

  elapsedMs(now: number): number {
    return now - this.#startedAt;
  }

  remainingMs(now: number): number {
    return this.deadlines.totalMs - this.elapsedMs(now);
  }

  /** The exceeded deadline, in words for the log; null when there is none. */
  exceeded(now: number): string | null {
    const elapsedMs = this.elapsedMs(now);
    const silentMs = now - this.#progressAt;
    const silentMsMax = this.#hasBegun ? this.deadlines.idleMs : this.deadlines.firstByteMs;
    if (silentMs <= silentMsMax && elapsedMs <= this.deadlines.totalMs) return null;
    return `no answer: ${Math.round(elapsedMs)} ms in all, ${Math.round(silentMs)} ms silent`;
  }
}
