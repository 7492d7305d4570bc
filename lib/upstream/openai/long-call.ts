/** A call whose answer is passed on while it comes: it can be held back, and it can be cut without losing its usage. */
import type { StreamControl, UpstreamFailure } from "../provider";
import { failureOf } from "../transport/failure";
import { type CallDeadlines, UpstreamCall } from "./upstream-call";

/** So much of one answer is passed on. */
const PASSED_BYTES_MAX = 128 * 1024 * 1024;
/** So much more is read for its usage alone after a cut. */
const DETACHED_BYTES_MAX = 64 * 1024 * 1024;
/** A reader that takes nothing for this long counts as gone. */
const STALL_MS = 60_000;

export interface LongDeadlines extends CallDeadlines {
  /** For how long a cut answer is read for its usage. */
  readonly detachedMs: number;
}

export abstract class LongCall extends UpstreamCall implements StreamControl {
  /** True once a part of the answer was passed on: from then on it is cut, not failed. */
  protected isShown = false;
  /** Why the answer was cut. */
  protected cutFailure: UpstreamFailure | null = null;
  #cutAt = 0;
  #pausedAt = 0;
  #bytes = 0;

  constructor(
    override readonly deadlines: LongDeadlines,
    onClosed: (call: UpstreamCall) => void,
  ) {
    super(deadlines, onClosed);
  }

  /** The reader kept the answer paused for too long. */
  protected abstract onStall(): void;
  /** What follows is read for its usage only. */
  protected abstract onCut(failure: UpstreamFailure): void;

  pause(): void {
    if (this.#pausedAt !== 0 || this.isOver || this.cutFailure !== null) return;
    this.#pausedAt = performance.now();
    this.controller?.pause();
  }

  resume(): void {
    if (this.#pausedAt === 0) return;
    this.#pausedAt = 0;
    this.lastProgressAt = performance.now();
    this.controller?.resume();
  }

  /** Ends the answer for its reader and reads on, bounded, for the usage that the upstream will bill. */
  protected cut(failure: UpstreamFailure): void {
    if (this.isOver || this.cutFailure !== null) return;
    this.cutFailure = failure;
    this.#cutAt = performance.now();
    this.onCut(failure);
    this.resume();
  }

  /** Counts the bytes that came. */
  protected count(bytes: number): void {
    this.#bytes += bytes;
    if (this.#bytes <= PASSED_BYTES_MAX) return;
    if (this.cutFailure === null) this.expire(failureOf("upstream_bad_response", "an answer beyond its bounds", { mayHaveCost: true }));
    else if (this.#bytes > PASSED_BYTES_MAX + DETACHED_BYTES_MAX) this.fail(this.cutFailure);
  }

  protected override expire(failure: UpstreamFailure): void {
    if (this.isShown) this.cut(failure);
    else this.fail(failure);
  }

  override stop(failure: UpstreamFailure): void {
    if (this.isShown) this.cut(failure);
    this.fail(failure);
  }

  override check(now: number): void {
    if (this.isOver) super.check(now);
    else if (this.cutFailure !== null) {
      if (now - this.#cutAt > this.deadlines.detachedMs) this.fail(this.cutFailure);
    } else if (this.#pausedAt === 0) super.check(now);
    else if (now - this.#pausedAt > STALL_MS || now - this.startedAt > this.deadlines.totalMs - STALL_MS) this.onStall();
  }
}
