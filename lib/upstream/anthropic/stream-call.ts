import { failureOf } from "../failure";
import type { ChatEnd, ChatStreamListener, JsonObject, UpstreamFailure } from "../provider";
import { AnswerFlow, type FlowDeadlines, type FlowListener } from "../transport/answer-flow";
import { referenceOf } from "../transport/answer-members";
import { failureOfErrorMember } from "../transport/error-member";
import { type AnswerHeaders, type AnswerReader, Exchange } from "../transport/exchange";
import { SseParser } from "../transport/sse-parser";
import { asObject, parseUpstreamObject } from "../transport/upstream-json";
import { ChatChunks } from "./chunks";
import { failureOfRefusal } from "./failure";
import { mergedUsage, readUsage } from "./usage";

const beforeContent: ReadonlySet<string> = new Set(["message_start", "ping"]);

const badAnswer = (internal: string) =>
  failureOf("upstream_bad_response", internal, { mayHaveCost: true });

/** Reads an answer of events. It is complete with its stop reason, and its usage with the totals. */
export class StreamCall implements AnswerReader, FlowListener {
  readonly exchange: Exchange;
  readonly flow: AnswerFlow;
  readonly #parser = new SseParser((data) => this.#onEvent(data));
  readonly #chunks = new ChatChunks();
  /** The counts of the beginning: not to be billed without those of the end. */
  #started: unknown = null;
  #totals: unknown = null;
  #isFinished = false;
  #hasContent = false;
  #upstreamRef: string | null = null;

  constructor(
    deadlines: FlowDeadlines,
    onClosed: (exchange: Exchange) => void,
    readonly listener: ChatStreamListener,
    readonly isNative: boolean,
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
    this.onFailure(failureOfRefusal(status, body));
  }

  onBreak(failure: UpstreamFailure): void {
    // It broke off after its stop reason and its totals: nothing of the answer is missing.
    if (this.#isFinished && this.#totals !== null) this.#end(this.flow.cutFailure);
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
    if (!type.startsWith("text/event-stream"))
      this.exchange.fail(badAnswer("a stream of another type"));
  }

  onBytes(chunk: Buffer): void {
    const { exchange, flow } = this;
    exchange.timer.progress();
    const isWithin = this.#parser.push(chunk);
    if (!exchange.isOver && !isWithin) flow.expire(badAnswer("an event beyond its bounds"));
    if (!exchange.isOver) flow.count(chunk.length);
    if (!exchange.isOver && flow.cutFailure === null) this.listener.onBatchEnd();
  }

  #onEvent(data: string): void {
    if (this.exchange.isOver) return;
    const event = parseUpstreamObject(data);
    if (event === null || typeof event.type !== "string") {
      this.flow.expire(badAnswer("not an event"));
      return;
    }
    if (event.type === "error") {
      this.exchange.fail(failureOfErrorMember(event.error));
      return;
    }
    this.#note(event);
    if (event.type === "message_stop") {
      this.#complete();
      return;
    }
    if (this.flow.cutFailure !== null) return;
    const chunk = this.isNative ? { choices: [event] } : this.#chunks.of(event);
    // Until something is said, the call may still fail as a whole.
    if (chunk === null || (!this.flow.isShown && beforeContent.has(event.type))) return;
    this.exchange.timer.begin();
    this.flow.show();
    this.listener.onChunk(chunk);
  }

  #note(event: JsonObject): void {
    if (event.type === "message_start") {
      const message = asObject(event.message) ?? {};
      this.#upstreamRef ??= referenceOf(message);
      this.#started = message.usage ?? null;
    } else if (event.type === "message_delta") {
      if (event.usage) this.#totals = event.usage;
      if (asObject(event.delta)?.stop_reason) this.#isFinished = true;
    } else if (event.type === "content_block_start" || event.type === "content_block_delta")
      this.#hasContent = true;
  }

  #end(failure: UpstreamFailure | null): void {
    const { usage, fault } = readUsage(
      this.#totals === null ? null : mergedUsage(this.#started, this.#totals),
    );
    const end: ChatEnd = {
      usage,
      usageFault: fault,
      hasContent: this.#hasContent,
      upstreamRef: this.#upstreamRef,
    };
    this.listener.onEnd(end, failure);
  }

  #complete(): void {
    this.exchange.finish();
    this.#end(this.flow.cutFailure);
  }

  onComplete(): void {
    this.#parser.end();
    if (this.exchange.isOver) return;
    if (this.#isFinished) this.#complete();
    else
      this.exchange.fail(
        failureOf("upstream_failed", "the stream ended early", { mayHaveCost: true }),
      );
  }
}
