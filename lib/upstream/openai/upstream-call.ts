/** One HTTP exchange with an upstream: its deadlines, its bounds, and whether its bytes had left. */
import type { Dispatcher } from "undici";
import type { UpstreamFailure } from "../provider";
import { failureOf, failureOfConnection } from "../transport/failure";
import { failureOfStatus } from "../transport/status-failure";

export interface CallDeadlines {
  /** Silence before an answer has begun. */
  readonly firstByteMs: number;
  /** Silence within it. */
  readonly idleMs: number;
  readonly totalMs: number;
}

const ERROR_BODY_BYTES_MAX = 64 * 1024;
/** After the last event an upstream gets this long to close its answer. */
const CLOSING_MS = 2_000;
/** Pieces beyond this many are joined, so that a body of single bytes takes no more room than it has bytes. */
const PARTS_MAX = 512;

class Stopped extends Error {}

export abstract class UpstreamCall implements Dispatcher.DispatchHandler {
  readonly startedAt = performance.now();
  protected lastProgressAt = this.startedAt;
  protected hasBegun = false;
  protected status = 0;
  protected controller: Dispatcher.DispatchController | null = null;
  #isOver = false;
  #overAt = 0;
  #parts: Buffer[] = [];
  #size = 0;

  constructor(
    readonly deadlines: CallDeadlines,
    /** Called when the exchange holds no socket any more. */
    readonly onClosed: (call: UpstreamCall) => void,
  ) {}

  /** The answer to a status other than 2xx, or a transport that failed. Comes at most once, and nothing after it. */
  protected abstract onFailure(failure: UpstreamFailure): void;
  protected abstract onBegin(headers: Record<string, string | string[] | undefined>): void;
  protected abstract onBytes(chunk: Buffer): void;
  protected abstract onClean(): void;

  /** What a status other than 2xx and its body stand for. */
  protected refusal(status: number, body: string): UpstreamFailure {
    return failureOfStatus(status, body);
  }

  get isOver(): boolean {
    return this.#isOver;
  }

  /** Nothing more is expected: what still comes is read and dropped. */
  protected finish(): void {
    this.#isOver = true;
    this.#overAt = performance.now();
  }

  /** Ends the call as failed, now. */
  fail(failure: UpstreamFailure): void {
    if (this.#isOver) return;
    this.finish();
    this.controller?.abort(new Stopped(failure.code));
    this.onFailure(failure);
  }

  /** Runs several times a second: ends what exceeded a deadline. */
  check(now: number): void {
    if (this.#isOver) {
      if (now - this.#overAt > CLOSING_MS) this.controller?.abort(new Stopped("closing"));
      return;
    }
    const sinceProgress = now - this.lastProgressAt;
    const limit = this.hasBegun ? this.deadlines.idleMs : this.deadlines.firstByteMs;
    if (sinceProgress <= limit && now - this.startedAt <= this.deadlines.totalMs) return;
    const wasSent = this.controller !== null;
    const internal = `no answer: ${Math.round(now - this.startedAt)} ms in all, ${Math.round(sinceProgress)} ms silent`;
    this.expire(failureOf("upstream_timeout", internal, { mayHaveCost: wasSent, isSurelyFree: !wasSent }));
  }

  /** A deadline or a bound was exceeded. */
  protected expire(failure: UpstreamFailure): void {
    this.fail(failure);
  }

  /** Ends the call because this process stops. */
  stop(failure: UpstreamFailure): void {
    this.fail(failure);
  }

  /** Keeps what belongs to a body that is read whole; false when it grew beyond `limitBytes`. */
  protected collect(chunk: Buffer, limitBytes: number): boolean {
    this.#size += chunk.length;
    if (this.#size > limitBytes) return false;
    if (this.#parts.push(chunk) >= PARTS_MAX) this.#parts = [Buffer.concat(this.#parts)];
    return true;
  }

  protected collectedBytes(): Buffer {
    return this.#parts.length === 1 ? (this.#parts[0] as Buffer) : Buffer.concat(this.#parts);
  }

  protected collected(): string {
    return this.collectedBytes().toString();
  }

  onRequestStart(controller: Dispatcher.DispatchController): void {
    this.controller = controller;
    if (this.#isOver) controller.abort(new Stopped("late"));
  }

  onResponseStart(_: Dispatcher.DispatchController, status: number, headers: Record<string, string | string[] | undefined>): void {
    if (status < 200 || this.#isOver) return;
    this.status = status;
    if (status < 300) this.onBegin(headers);
  }

  onResponseData(_: Dispatcher.DispatchController, chunk: Buffer): void {
    if (this.#isOver) return;
    if (this.status < 300) this.onBytes(chunk);
    else if (!this.collect(chunk, ERROR_BODY_BYTES_MAX)) this.fail(this.refusal(this.status, ""));
  }

  onResponseEnd(): void {
    this.onClosed(this);
    if (this.#isOver) return;
    if (this.status < 300) {
      this.onClean();
      return;
    }
    this.finish();
    this.onFailure(this.refusal(this.status, this.collected()));
  }

  onResponseError(_: Dispatcher.DispatchController, error: Error): void {
    this.onClosed(this);
    if (this.#isOver) return;
    this.finish();
    this.onFailure(this.status >= 300 ? this.refusal(this.status, "") : failureOfConnection(error, this.controller !== null));
  }
}
