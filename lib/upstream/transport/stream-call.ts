import { failureOf } from "../failure";
import type {
  ChatEnd,
  ChatStreamListener,
  JsonObject,
  TakeString,
  UpstreamFailure,
} from "../provider";
import { AnswerFlow, type FlowDeadlines, type FlowListener } from "./answer-flow";
import { CollectedBody } from "./collected-body";
import { errorIn, failureOfErrorMember } from "./error-member";
import { type AnswerHeaders, type AnswerReader, Exchange } from "./exchange";
import { SseParser } from "./sse-parser";
import { failureOfRefusal } from "./status-failure";
import { parseUpstreamObject } from "./upstream-json";

const COLON = 58;
const JSON_BODY_BYTES_MAX = 1024 * 1024;
/** After so many bytes the reader's queue is asked whether it is full, also within one read. */
const BATCH_BYTES_MAX = 64 * 1024;

/** The bytes of a read that are looked at to find out what it is. */
const FIRST_BYTES = 64;
/** The first characters of the lines of a stream: comments, and the names of its fields. */
const beginsLine = /[:deir]/;

/** The first character of a body; undefined when none has come yet. */
const firstOf = (chunk: Buffer) =>
  /[^\s\ufeff\ufffd]/.exec(chunk.toString("utf8", 0, FIRST_BYTES))?.[0];

/** Events that only keep the connection alive, as some servers write them. */
const isNothing = (data: string) =>
  data === "" || data === " " || data === "null" || data.charCodeAt(0) === COLON;

/** Several objects, each in a line of its own. */
const lines = /^\s*\{.*\}\s*\n\s*\{/;

const badAnswer = (internal: string) =>
  failureOf("upstream_bad_response", internal, { mayHaveCost: true });

/** A site answers every address with its page, where a channel's address lacks its path. */
const isPage = (first: string | undefined) => first === "<";
const aPage = failureOf("upstream_bad_response", "a page instead of an answer", {
  isSurelyFree: true,
  isOperatorFault: true,
});

/** What a protocol makes of the events of one stream. Each event is parsed here, and only once. */
export interface EventReader {
  /** Nothing of the answer is missing, even if the connection breaks off now. */
  readonly isWhole: boolean;
  /** The answer is complete, even if the stream ends without saying so. */
  readonly isFinished: boolean;
  /** Reads one event, and tells the call what follows from it. */
  read(data: string, call: StreamCall): void;
  /** Reads a whole answer that came where a stream was asked for. False when it is none. */
  readWhole?(body: JsonObject, call: StreamCall): boolean;
  end(): ChatEnd;
}

/** Reads an answer of server-sent events, forwards it, and ends it once. */
export class StreamCall implements AnswerReader, FlowListener {
  readonly exchange: Exchange;
  readonly flow: AnswerFlow;
  readonly #parser = new SseParser((data) => {
    if (!this.exchange.isOver && !isNothing(data)) this.reader.read(data, this);
  });
  /** The body of an answer that is JSON instead of a stream. */
  #json: CollectedBody | null = null;
  #isLabelled = true;
  /** True once it is known what the body is. */
  #isKnown = false;
  #batchBytes = 0;
  #isBatchOpen = false;

  constructor(
    deadlines: FlowDeadlines,
    onClosed: (exchange: Exchange) => void,
    readonly listener: ChatStreamListener,
    readonly reader: EventReader,
    /** One whose answer has begun, if it is to be read as a stream. */
    exchange: Exchange | null = null,
  ) {
    this.exchange = exchange ?? new Exchange(this, deadlines, onClosed);
    this.flow = new AnswerFlow(this.exchange, deadlines.detachedMs, this);
  }

  /** Forwards a chunk, unless the answer was cut. */
  forward(chunk: JsonObject): void {
    if (this.#show()) this.listener.onChunk(chunk);
  }

  /** Forwards a chunk that differs from earlier ones in one string, as `forward` does. */
  repeat(take: TakeString, json: string): void {
    if (this.#show()) take(json);
  }

  #show(): boolean {
    if (this.flow.cutFailure !== null) return false;
    this.exchange.timer.begin();
    this.flow.show();
    return true;
  }

  /** The answer is complete: nothing more is expected. */
  complete(): void {
    this.exchange.finish();
    this.#end(this.flow.cutFailure);
  }

  /** An event that cannot be read. */
  refuse(internal: string): void {
    this.flow.expire(badAnswer(internal));
  }

  /** The upstream reports an error, by its `error` member. */
  fail(error: unknown): void {
    this.exchange.fail(failureOfErrorMember(error));
  }

  #end(failure: UpstreamFailure | null): void {
    this.listener.onEnd(this.reader.end(), failure);
  }

  onStall(): void {
    this.listener.onStall();
  }

  onCut(failure: UpstreamFailure): void {
    this.listener.onBatchEnd();
    this.listener.onCut(failure);
  }

  onRefusal(status: number, body: string, waitSeconds: number | undefined): void {
    this.onFailure(failureOfRefusal({ status, body, waitSeconds }));
  }

  onBreak(failure: UpstreamFailure): void {
    if (this.reader.isWhole) this.#end(this.flow.cutFailure);
    else this.onFailure(failure);
  }

  onFailure(failure: UpstreamFailure): void {
    this.#end(this.flow.cutFailure ?? failure);
  }

  check(now: number): void {
    this.flow.check(now);
  }

  stop(failure: UpstreamFailure): void {
    this.flow.stop(failure);
  }

  onBegin(headers: AnswerHeaders): void {
    this.#isLabelled = String(headers["content-type"]).startsWith("text/event-stream");
  }

  /** Some upstreams label a stream as something else: its first character tells. */
  #findOut(chunk: Buffer): void {
    const first = firstOf(chunk);
    if (first === undefined) return;
    this.#isKnown = true;
    if (isPage(first)) this.exchange.fail(aPage);
    else if (first === "{") this.#json = new CollectedBody(JSON_BODY_BYTES_MAX);
    else if (!this.#isLabelled && !beginsLine.test(first))
      this.exchange.fail(badAnswer("a stream of another type"));
  }

  onBytes(chunk: Buffer): void {
    const { exchange, flow } = this;
    if (!this.#isKnown) this.#findOut(chunk);
    if (exchange.isOver) return;
    if (this.#json !== null) {
      if (!this.#json.push(chunk)) exchange.fail(badAnswer("body too large"));
      return;
    }
    exchange.timer.progress();
    const isWithin = this.#parser.push(chunk);
    if (!exchange.isOver && !isWithin) this.refuse("an event beyond its bounds");
    if (!exchange.isOver) flow.count(chunk.length);
    if (!exchange.isOver && flow.cutFailure === null) this.#count(chunk.length);
  }

  /**
   * What one read brought may come in many calls of `onBytes`, one for each piece of the transfer
   * coding. It is one batch, which ends when the read does.
   */
  #count(bytes: number): void {
    this.#batchBytes += bytes;
    if (this.#batchBytes >= BATCH_BYTES_MAX) this.#endBatch();
    if (this.#isBatchOpen) return;
    this.#isBatchOpen = true;
    queueMicrotask(() => {
      this.#isBatchOpen = false;
      if (!this.exchange.isOver && this.flow.cutFailure === null) this.#endBatch();
    });
  }

  #endBatch(): void {
    this.#batchBytes = 0;
    this.listener.onBatchEnd();
  }

  onComplete(): void {
    if (this.#json !== null) {
      const text = this.#json.text();
      const body = parseUpstreamObject(text);
      const error = body === null ? null : errorIn(body);
      if (error !== null) this.fail(error);
      else if (body === null && lines.test(text)) this.#readLines(text);
      else if (body === null || !this.reader.readWhole?.(body, this))
        this.exchange.fail(badAnswer("JSON where a stream was due"));
      return;
    }
    this.#parser.end();
    this.#endEvents();
  }

  /** Chunks that are not events: an object in each line. */
  #readLines(text: string): void {
    for (const line of text.split("\n"))
      if (!this.exchange.isOver && line.trim() !== "") this.reader.read(line.trim(), this);
    this.#endEvents();
  }

  #endEvents(): void {
    if (this.exchange.isOver) return;
    if (this.reader.isFinished) this.complete();
    else
      this.exchange.fail(
        failureOf("upstream_failed", "the stream ended early", { mayHaveCost: true }),
      );
  }
}

/** Until the first bytes have come it is not known whether a plain answer comes as a stream. */
export class PlainOrStream implements AnswerReader {
  constructor(
    readonly exchange: Exchange,
    readonly plain: AnswerReader,
    readonly openStream: () => StreamCall,
  ) {}

  onBegin(headers: AnswerHeaders): void {
    this.plain.onBegin(headers);
  }

  onBytes(chunk: Buffer): void {
    const first = firstOf(chunk);
    if (isPage(first)) {
      this.exchange.fail(aPage);
      return;
    }
    if (first !== undefined)
      this.exchange.reader = beginsLine.test(first) ? this.openStream() : this.plain;
    const reader = first === undefined ? this.plain : this.exchange.reader;
    reader.onBytes(chunk);
  }

  onComplete(): void {
    this.plain.onComplete();
  }

  onRefusal(status: number, body: string, waitSeconds: number | undefined): void {
    this.plain.onRefusal(status, body, waitSeconds);
  }

  onBreak(failure: UpstreamFailure): void {
    this.plain.onBreak(failure);
  }

  onFailure(failure: UpstreamFailure): void {
    this.plain.onFailure(failure);
  }

  check(now: number): void {
    this.plain.check(now);
  }

  stop(failure: UpstreamFailure): void {
    this.plain.stop(failure);
  }
}
