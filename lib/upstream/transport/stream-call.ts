import { failureOf, waiting } from "../failure";
import type {
  ChatEnd,
  ChatStreamListener,
  JsonObject,
  TakeString,
  UpstreamFailure,
} from "../provider";
import { AnswerFlow, type FlowDeadlines, type FlowListener } from "./answer-flow";
import { CollectedBody } from "./collected-body";
import { failureOfErrorMember } from "./error-member";
import { type AnswerHeaders, type AnswerReader, Exchange } from "./exchange";
import { SseParser } from "./sse-parser";
import { failureOfStatus } from "./status-failure";
import { parseUpstreamObject } from "./upstream-json";

const JSON_BODY_BYTES_MAX = 1024 * 1024;
/** After so many bytes the reader's queue is asked whether it is full, also within one read. */
const BATCH_BYTES_MAX = 64 * 1024;

const badAnswer = (internal: string) =>
  failureOf("upstream_bad_response", internal, { mayHaveCost: true });

/** What a protocol makes of the events of one stream. Each event is parsed here, and only once. */
export interface EventReader {
  /** True when a stream of this protocol may come as JSON, which says why it does not come. */
  readonly takesJson: boolean;
  /** Nothing of the answer is missing, even if the connection breaks off now. */
  readonly isWhole: boolean;
  /** The answer is complete, even if the stream ends without saying so. */
  readonly isFinished: boolean;
  /** Reads one event, and tells the call what follows from it. */
  read(data: string, call: StreamCall): void;
  end(): ChatEnd;
}

/** Reads an answer of server-sent events, forwards it, and ends it once. */
export class StreamCall implements AnswerReader, FlowListener {
  readonly exchange: Exchange;
  readonly flow: AnswerFlow;
  readonly #parser = new SseParser((data) => {
    if (!this.exchange.isOver) this.reader.read(data, this);
  });
  /** The body of an answer that is JSON instead of a stream. */
  #json: CollectedBody | null = null;
  #batchBytes = 0;
  #isBatchOpen = false;

  constructor(
    deadlines: FlowDeadlines,
    onClosed: (exchange: Exchange) => void,
    readonly listener: ChatStreamListener,
    readonly reader: EventReader,
  ) {
    this.exchange = new Exchange(this, deadlines, onClosed);
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
    this.onFailure(waiting(failureOfStatus(status, body), waitSeconds));
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
    const type = String(headers["content-type"] ?? "text/event-stream");
    if (type.startsWith("text/event-stream")) return;
    if (this.reader.takesJson && type.startsWith("application/json"))
      this.#json = new CollectedBody(JSON_BODY_BYTES_MAX);
    else this.exchange.fail(badAnswer("a stream of another type"));
  }

  onBytes(chunk: Buffer): void {
    const { exchange, flow } = this;
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
      const error = parseUpstreamObject(this.#json.text())?.error;
      if (error) this.fail(error);
      else this.exchange.fail(badAnswer("JSON where a stream was due"));
      return;
    }
    this.#parser.end();
    if (this.exchange.isOver) return;
    if (this.reader.isFinished) this.complete();
    else
      this.exchange.fail(
        failureOf("upstream_failed", "the stream ended early", { mayHaveCost: true }),
      );
  }
}
