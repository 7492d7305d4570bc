/**
 * Controls an answer that is forwarded while it arrives: it can be paused, and it can be cut
 * without losing its usage.
 */

import { failureOf } from "../failure";
import type { StreamControl, UpstreamFailure } from "../provider";
import type { CallDeadlines } from "./deadlines";
import type { Exchange } from "./exchange";

/** The most bytes of one answer that are forwarded. */
const PASSED_BYTES_MAX = 128 * 1024 * 1024;
/** The most further bytes that are read for the usage alone, after a cut. */
const DETACHED_BYTES_MAX = 64 * 1024 * 1024;
/** A reader that reads nothing for this long counts as gone. */
const STALL_MS = 60_000;

export interface FlowDeadlines extends CallDeadlines {
  /** How long a cut answer is read for its usage. */
  readonly detachedMs: number;
}

export interface FlowListener {
  /** The reader has kept the answer paused for too long. */
  onStall(): void;
  /** The rest of the answer is read for its usage only. */
  onCut(failure: UpstreamFailure): void;
}

export class AnswerFlow implements StreamControl {
  #isShown = false;
  #cutFailure: UpstreamFailure | null = null;
  #cutAt = 0;
  #pausedAt = 0;
  #bytes = 0;

  constructor(
    readonly exchange: Exchange,
    readonly detachedMs: number,
    readonly listener: FlowListener,
  ) {}

  get isShown(): boolean {
    return this.#isShown;
  }

  /** Why the answer was cut; null when it was not. */
  get cutFailure(): UpstreamFailure | null {
    return this.#cutFailure;
  }

  /** A part of the answer was forwarded: from now on a failure cuts the answer. */
  show(): void {
    this.#isShown = true;
  }

  pause(): void {
    if (this.#pausedAt !== 0 || this.exchange.isOver || this.#cutFailure !== null) return;
    this.#pausedAt = performance.now();
    this.exchange.pause();
  }

  resume(): void {
    if (this.#pausedAt === 0) return;
    this.#pausedAt = 0;
    this.exchange.timer.progress();
    this.exchange.resume();
  }

  /**
   * Ends the answer for its reader and reads on, within bounds, for the usage that the upstream
   * will bill.
   */
  #cut(failure: UpstreamFailure): void {
    if (this.exchange.isOver || this.#cutFailure !== null) return;
    this.#cutFailure = failure;
    this.#cutAt = performance.now();
    this.listener.onCut(failure);
    this.resume();
  }

  /** Counts received bytes. */
  count(bytes: number): void {
    this.#bytes += bytes;
    if (this.#bytes <= PASSED_BYTES_MAX) return;
    if (this.#cutFailure === null) {
      const internal = "an answer beyond its bounds";
      this.expire(failureOf("upstream_bad_response", internal, { mayHaveCost: true }));
    } else if (this.#bytes > PASSED_BYTES_MAX + DETACHED_BYTES_MAX)
      this.exchange.fail(this.#cutFailure);
  }

  /** A deadline or a bound was exceeded. */
  expire(failure: UpstreamFailure): void {
    if (this.#isShown) this.#cut(failure);
    else this.exchange.fail(failure);
  }

  /** Ends the call at once. If a part of the answer was forwarded, the reader sees a cut. */
  stop(failure: UpstreamFailure): void {
    if (this.#isShown) this.#cut(failure);
    this.exchange.fail(failure);
  }

  check(now: number): void {
    if (this.#cutFailure !== null) {
      if (now - this.#cutAt > this.detachedMs) this.exchange.fail(this.#cutFailure);
    } else if (this.#pausedAt !== 0) {
      const isStalled = now - this.#pausedAt > STALL_MS;
      if (isStalled || this.exchange.timer.remainingMs(now) < STALL_MS) this.listener.onStall();
    } else {
      const failure = this.exchange.overdue(now);
      if (failure !== null) this.expire(failure);
    }
  }
}
