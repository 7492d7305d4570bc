import type { ChatEnd, ChatStreamListener, JsonObject, UpstreamFailure } from "../provider";
import { referenceOf } from "../transport/answer-members";
import { failureOf } from "../transport/failure";
import { asObject, parseUpstreamObject } from "../transport/upstream-json";
import { failureOfErrorMember } from "./error-member";
import { LongCall, type LongDeadlines } from "./long-call";
import { carriesContent } from "./plain-call";
import { SseParser } from "./sse-parser";
import type { UpstreamCall } from "./upstream-call";
import { readUsage, usageOf } from "./usage";

const JSON_BODY_BYTES_MAX = 1024 * 1024;

/** A completion as server-sent events, read once: each event is parsed here and nowhere else. */
export class StreamCall extends LongCall {
  readonly #parser = new SseParser((data) => this.#onEvent(data));
  #isJson = false;
  #usage: unknown = null;
  /** Usage came where it can only be the whole: without choices, or after a finish reason. */
  #isUsageFinal = false;
  #isFinished = false;
  #hasContent = false;
  #upstreamRef: string | null = null;

  constructor(
    deadlines: LongDeadlines,
    onClosed: (call: UpstreamCall) => void,
    readonly listener: ChatStreamListener,
  ) {
    super(deadlines, onClosed);
  }

  protected onStall(): void {
    this.listener.onStall();
  }

  protected onCut(failure: UpstreamFailure): void {
    this.listener.onBatchEnd();
    this.listener.onCut(failure);
  }

  protected onFailure(failure: UpstreamFailure): void {
    this.listener.onEnd(this.#end(), this.cutFailure ?? failure);
  }

  protected onBegin(headers: Record<string, string | string[] | undefined>): void {
    const type = String(headers["content-type"] ?? "text/event-stream");
    this.#isJson = type.startsWith("application/json");
    if (!this.#isJson && !type.startsWith("text/event-stream")) {
      this.fail(failureOf("upstream_bad_response", "a stream of another type", { mayHaveCost: true }));
    }
  }

  protected onBytes(chunk: Buffer): void {
    if (this.#isJson) {
      if (!this.collect(chunk, JSON_BODY_BYTES_MAX)) this.fail(failureOf("upstream_bad_response", "body too large", { mayHaveCost: true }));
      return;
    }
    this.lastProgressAt = performance.now();
    const isWithin = this.#parser.push(chunk);
    if (!this.isOver && !isWithin) this.expire(failureOf("upstream_bad_response", "an event beyond its bounds", { mayHaveCost: true }));
    if (!this.isOver) this.count(chunk.length);
    if (!this.isOver && this.cutFailure === null) this.listener.onBatchEnd();
  }

  #onEvent(data: string): void {
    if (this.isOver) return;
    if (data === "[DONE]") {
      this.#complete();
      return;
    }
    const chunk = parseUpstreamObject(data);
    if (!chunk) {
      this.expire(failureOf("upstream_bad_response", "not a chunk", { mayHaveCost: true }));
      return;
    }
    if (chunk.error) {
      this.fail(failureOfErrorMember(chunk.error));
      return;
    }
    if (!Array.isArray(chunk.choices)) chunk.choices = [];
    this.#note(chunk, chunk.choices as unknown[]);
    if (this.cutFailure !== null) return;
    this.hasBegun = this.isShown = true;
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
    return { usage, usageFault: fault, hasContent: this.#hasContent, upstreamRef: this.#upstreamRef };
  }

  #complete(): void {
    this.finish();
    this.listener.onEnd(this.#end(), this.cutFailure);
  }

  protected onClean(): void {
    if (this.#isJson) {
      const body = parseUpstreamObject(this.collected());
      const failure = body?.error
        ? failureOfErrorMember(body.error)
        : failureOf("upstream_bad_response", "JSON where a stream was due", { mayHaveCost: true });
      this.fail(failure);
      return;
    }
    this.#parser.end();
    if (this.isOver) return;
    if (this.#isFinished || this.#isUsageFinal) this.#complete();
    else this.fail(failureOf("upstream_failed", "the stream ended early", { mayHaveCost: true }));
  }

  override onResponseError(...args: Parameters<UpstreamCall["onResponseError"]>): void {
    // Cut after its usage came whole: nothing of the answer is missing.
    if (!this.isOver && this.#isUsageFinal) {
      this.onClosed(this);
      this.#complete();
      return;
    }
    super.onResponseError(...args);
  }
}
