/**
 * One HTTP exchange with an upstream: its result, whether it is over, and whether any byte of the
 * request left.
 */
import type { Dispatcher } from "undici";
import { codingOf } from "../../net/content-coding";
import type { Linked } from "../../values/linked-list";
import { failureOf, failureOfConnection } from "../failure";
import type { UpstreamFailure } from "../provider";
import { AnswerDecoder, type DecodedReader } from "./answer-decoder";
import { CollectedBody } from "./collected-body";
import { type CallDeadlines, CallTimer } from "./deadlines";
import { waitSecondsOf } from "./retry-after";

const ERROR_BODY_BYTES_MAX = 64 * 1024;
/** How long an upstream may take to close its answer after the last event. */
const CLOSING_MS = 2_000;

export type AnswerHeaders = Record<string, string | string[] | undefined>;

/** A protocol's handlers for its exchange. None is called after the exchange is over. */
export interface AnswerReader {
  /** An answer with a 2xx status has started. */
  onBegin(headers: AnswerHeaders): void;
  onBytes(chunk: Buffer): void;
  /** The upstream has completed its answer. */
  onComplete(): void;
  /**
   * An answer with another status. The exchange is over. `waitSeconds`: for how long the upstream asks
   * to be left alone.
   */
  onRefusal(status: number, body: string, waitSeconds: number | undefined): void;
  /** The connection failed. The exchange is over. */
  onBreak(failure: UpstreamFailure): void;
  /** The call was ended by `fail`. The exchange is over. */
  onFailure(failure: UpstreamFailure): void;
  /** Called several times a second, to end what exceeded a deadline. */
  check(now: number): void;
  /** This process stops: ends the call. */
  stop(failure: UpstreamFailure): void;
}

class Stopped extends Error {}

export class Exchange implements Dispatcher.DispatchHandler, DecodedReader, Linked<Exchange> {
  before: Exchange | null = null;
  after: Exchange | null = null;
  readonly timer: CallTimer;
  #status = 0;
  #waitSeconds: number | undefined;
  #controller: Dispatcher.DispatchController | null = null;
  #errorBody: CollectedBody | null = null;
  /** Null when the answer is not encoded. */
  #decoder: AnswerDecoder | null = null;
  #isPaused = false;
  /** True once the socket is no longer the exchange's, whose answer may still be decoded. */
  #isReceived = false;
  /** Why the connection broke. */
  #broken: Error | null = null;
  #isOver = false;
  #overAt = 0;

  constructor(
    /** Another one may take over before the first bytes are read. */
    public reader: AnswerReader,
    deadlines: CallDeadlines,
    /** Called when the exchange no longer has a socket. */
    readonly onClosed: (exchange: Exchange) => void,
  ) {
    this.timer = new CallTimer(deadlines);
  }

  get isOver(): boolean {
    return this.#isOver;
  }

  /** 0 until the head of the answer has arrived. */
  get status(): number {
    return this.#status;
  }

  /** Nothing more is expected: what still arrives is read and dropped. */
  finish(): void {
    this.#isOver = true;
    this.#overAt = performance.now();
    this.#decoder?.close();
    if (this.#isReceived) this.onClosed(this);
  }

  /** The log of a failure names the encoding of the answer, which was not asked for. */
  #named(failure: UpstreamFailure): UpstreamFailure {
    if (this.#decoder === null) return failure;
    return { ...failure, internal: `${failure.internal}; encoded as ${this.#decoder.coding}` };
  }

  /** Ends the call as failed. */
  fail(failure: UpstreamFailure): void {
    if (this.#isOver) return;
    this.#abort(failure.code);
    this.reader.onFailure(this.#named(failure));
  }

  #abort(reason: string): void {
    this.finish();
    this.#controller?.abort(new Stopped(reason));
  }

  /** The failure of a call that exceeded a deadline; null when it did not. */
  overdue(now: number): UpstreamFailure | null {
    const exceeded = this.timer.exceeded(now);
    if (exceeded === null) return null;
    const wasSent = this.#controller !== null;
    return failureOf("upstream_timeout", exceeded, {
      mayHaveCost: wasSent,
      isSurelyFree: !wasSent,
    });
  }

  check(now: number): void {
    if (!this.#isOver) this.reader.check(now);
    else if (now - this.#overAt > CLOSING_MS) this.#controller?.abort(new Stopped("closing"));
  }

  stop(failure: UpstreamFailure): void {
    if (!this.#isOver) this.reader.stop(failure);
  }

  pause(): void {
    this.#isPaused = true;
    this.#decoder?.pause();
    this.#controller?.pause();
  }

  resume(): void {
    this.#isPaused = false;
    this.#decoder?.resume();
    this.#controller?.resume();
  }

  onRequestStart(controller: Dispatcher.DispatchController): void {
    this.#controller = controller;
    if (this.#isOver) controller.abort(new Stopped("late"));
  }

  onResponseStart(_: Dispatcher.DispatchController, status: number, headers: AnswerHeaders): void {
    if (status < 200 || this.#isOver) return;
    this.#status = status;
    this.#waitSeconds = waitSecondsOf(status, headers);
    const coding = codingOf(headers);
    if (coding !== null) this.#decoder = new AnswerDecoder(coding, this);
    if (status < 300) this.reader.onBegin(headers);
  }

  onResponseData(_: Dispatcher.DispatchController, chunk: Buffer): void {
    if (this.#isOver) return;
    if (this.#decoder === null) this.onDecoded(chunk);
    else if (!this.#decoder.push(chunk)) this.#controller?.pause();
  }

  onDrained(): void {
    if (!this.#isPaused) this.#controller?.resume();
  }

  onDecoded(chunk: Buffer): void {
    if (this.#isOver) return;
    if (this.#status < 300) {
      this.reader.onBytes(chunk);
      return;
    }
    this.#errorBody ??= new CollectedBody(ERROR_BODY_BYTES_MAX);
    if (this.#errorBody.push(chunk)) return;
    this.#abort("refused at length");
    this.#refuse("");
  }

  #refuse(body: string): void {
    this.reader.onRefusal(this.#status, body, this.#waitSeconds);
  }

  onUndecoded(): void {
    if (this.#isOver) return;
    if (this.#status < 300) {
      this.fail(failureOf("upstream_bad_response", "cannot be decoded", { mayHaveCost: true }));
      return;
    }
    this.#abort("refused, cannot be decoded");
    this.#refuse("");
  }

  onResponseEnd(): void {
    this.#received(null);
  }

  onResponseError(_: Dispatcher.DispatchController, error: Error): void {
    this.#received(error);
  }

  #received(broken: Error | null): void {
    this.#isReceived = true;
    this.#broken = broken;
    if (this.#decoder === null || this.#isOver) this.onDecodedEnd();
    else this.#decoder.end();
  }

  onDecodedEnd(): void {
    this.onClosed(this);
    if (this.#isOver) return;
    if (this.#broken === null && this.#status < 300) {
      this.reader.onComplete();
      return;
    }
    this.finish();
    if (this.#status >= 300) this.#refuse(this.#broken ? "" : (this.#errorBody?.text() ?? ""));
    else if (this.#broken !== null)
      this.reader.onBreak(
        this.#named(failureOfConnection(this.#broken, this.#controller !== null)),
      );
  }
}
