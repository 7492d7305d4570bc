import { failureOf } from "../failure";
import type { ChatEnd, ChatStreamListener, JsonObject, UpstreamFailure } from "../provider";
import { AnswerFlow, type FlowDeadlines, type FlowListener } from "../transport/answer-flow";
import { referenceOf } from "../transport/answer-members";
import { CollectedBody } from "../transport/collected-body";
import { failureOfErrorMember } from "../transport/error-member";
import { type AnswerHeaders, type AnswerReader, Exchange } from "../transport/exchange";
import { SseParser } from "../transport/sse-parser";
import { failureOfStatus } from "../transport/status-failure";
import { asObject, parseUpstreamObject } from "../transport/upstream-json";
import { carriesContent } from "./plain-call";
import { readUsage, usageOf } from "./usage";

const JSON_BODY_BYTES_MAX = 1024 * 1024;

const badAnswer = (internal: string) =>
  failureOf("upstream_bad_response", internal, { mayHaveCost: true });

/** Reads a completion of server-sent events. Each event is parsed here, and only once. */
export class StreamCall implements AnswerReader, FlowListener {
  readonly exchange: Exchange;
  readonly flow: AnswerFlow;
  readonly #parser = new SseParser((data) => this.#onEvent(data));
  /** The body of an answer that is JSON instead of a stream. */
  #json: CollectedBody | null = null;
  #usage: unknown = null;
  /**
   * True once the usage came where it covers the whole answer: without choices, or after a finish
   * reason.
   */
  #isUsageFinal = false;
  #isFinished = false;
  #hasContent = false;
  #upstreamRef: string | null = null;

  constructor(
    deadlines: FlowDeadlines,
    onClosed: (exchange: Exchange) => void,
    readonly listener: ChatStreamListener,
  ) {
    this.exchange = new Exchange(this, deadlines, onClosed);
    this.flow = new AnswerFlow(this.exchange, deadlines.detachedMs, this);
  }

  onStall(): void {
    this.listener.onStall();
  }

  onCut(failure: UpstreamFailure): void {
    this.listener.onBatchEnd();
    this.listener.onCut(failure);
  }

  onRefusal(status: number, body: string): void {
    this.onFailure(failureOfStatus(status, body));
  }

  onBreak(failure: UpstreamFailure): void {
    // The stream broke off after its final usage: nothing of the answer is missing.
    if (this.#isUsageFinal) this.listener.onEnd(this.#end(), this.flow.cutFailure);
    else this.onFailure(failure);
  }

  onFailure(failure: UpstreamFailure): void {
    this.listener.onEnd(this.#end(), this.flow.cutFailure ?? failure);
  }

  check(now: number): void {
    this.flow.check(now);
  }

  stop(failure: UpstreamFailure): void {
    this.flow.stop(failure);
  }

  onBegin(headers: AnswerHeaders): void {
    const type = String(headers["content-type"] ?? "text/event-stream");
    if (type.startsWith("application/json")) this.#json = new CollectedBody(JSON_BODY_BYTES_MAX);
    else if (!type.startsWith("text/event-stream"))
      this.exchange.fail(badAnswer("a stream of another type"));
  }

  onBytes(chunk: Buffer): void {
    if (this.#json !== null) {
      if (!this.#json.push(chunk)) this.exchange.fail(badAnswer("body too large"));
      return;
    }
    const { exchange, flow } = this;
    exchange.timer.progress();
    const isWithin = this.#parser.push(chunk);
    if (!exchange.isOver && !isWithin) flow.expire(badAnswer("an event beyond its bounds"));
    if (!exchange.isOver) flow.count(chunk.length);
    if (!exchange.isOver && flow.cutFailure === null) this.listener.onBatchEnd();
  }

  #onEvent(data: string): void {
    if (this.exchange.isOver) return;
    if (data === "[DONE]") {
      this.#complete();
      return;
    }
    const chunk = parseUpstreamObject(data);
    if (!chunk) {
      this.flow.expire(badAnswer("not a chunk"));
      return;
    }
    if (chunk.error) {
      this.exchange.fail(failureOfErrorMember(chunk.error));
      return;
    }
    const choices: unknown[] = Array.isArray(chunk.choices) ? chunk.choices : [];
    if (choices !== chunk.choices) chunk.choices = choices;
    this.#note(chunk, choices);
    if (this.flow.cutFailure !== null) return;
    this.exchange.timer.begin();
    this.flow.show();
    this.listener.onChunk(chunk);
  }

  #note(chunk: JsonObject, choices: readonly unknown[]): void {
    this.#upstreamRef ??= referenceOf(chunk);
    for (const item of choices) {
      const choice = asObject(item);
      if (choice?.finish_reason) this.#isFinished = true;
      if (!this.#hasContent && carriesContent(asObject(choice?.delta))) this.#hasContent = true;
    }
    const usage = usageOf(chunk);
    if (usage === null) return;
    this.#usage = usage;
    this.#isUsageFinal = this.#isFinished || choices.length === 0;
  }

  #end(): ChatEnd {
    const { usage, fault } = readUsage(this.#usage);
    return {
      usage,
      usageFault: fault,
      hasContent: this.#hasContent,
      upstreamRef: this.#upstreamRef,
    };
  }

  #complete(): void {
    this.exchange.finish();
    this.listener.onEnd(this.#end(), this.flow.cutFailure);
  }

  onComplete(): void {
    if (this.#json !== null) {
      const body = parseUpstreamObject(this.#json.text());
      const isError = Boolean(body?.error);
      this.exchange.fail(
        isError ? failureOfErrorMember(body?.error) : badAnswer("JSON where a stream was due"),
      );
      return;
    }
    this.#parser.end();
    if (this.exchange.isOver) return;
    if (this.#isFinished || this.#isUsageFinal) this.#complete();
    else
      this.exchange.fail(
        failureOf("upstream_failed", "the stream ended early", { mayHaveCost: true }),
      );
  }
}
