import type { ChatEnd, ChatStreamListener, JsonObject, StreamControl, UpstreamFailure } from "../provider";
import { failureOf, failureOfErrorMember } from "./failure-map";
import { carriesContent, referenceOf } from "./plain-call";
import { SseParser } from "./sse-parser";
import { type CallDeadlines, UpstreamCall } from "./upstream-call";
import { asObject, parseUpstreamObject } from "./upstream-json";
import { readUsage, usageOf } from "./usage";

const STREAM_BYTES_MAX = 64 * 1024 * 1024;
const JSON_BODY_BYTES_MAX = 1024 * 1024;
/** A reader that takes nothing for this long counts as gone. */
const STALL_MS = 60_000;

/** A completion as server-sent events, read once: each event is parsed here and nowhere else. */
export class StreamCall extends UpstreamCall implements StreamControl {
  readonly #parser = new SseParser((data) => this.#onEvent(data));
  #isJson = false;
  #bytes = 0;
  #pausedAt = 0;
  #usage: unknown = null;
  /** Usage came where it can only be the whole: without choices, or after a finish reason. */
  #isUsageFinal = false;
  #isFinished = false;
  #hasContent = false;
  #upstreamRef: string | null = null;

  constructor(
    deadlines: CallDeadlines,
    onClosed: (call: UpstreamCall) => void,
    readonly listener: ChatStreamListener,
  ) {
    super(deadlines, onClosed);
  }

  pause(): void {
    if (this.#pausedAt !== 0 || this.isOver) return;
    this.#pausedAt = performance.now();
    this.controller?.pause();
  }

  resume(): void {
    if (this.#pausedAt === 0) return;
    this.#pausedAt = 0;
    this.lastProgressAt = performance.now();
    this.controller?.resume();
  }

  override check(now: number): void {
    if (this.#pausedAt === 0) {
      super.check(now);
      return;
    }
    if (now - this.#pausedAt > STALL_MS || now - this.startedAt > this.deadlines.totalMs - STALL_MS) this.listener.onStall();
  }

  protected onFailure(failure: UpstreamFailure): void {
    this.listener.onEnd(this.#end(), failure);
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
    this.#bytes += chunk.length;
    const isWithin = this.#parser.push(chunk) && this.#bytes <= STREAM_BYTES_MAX;
    if (!this.isOver && !isWithin) this.fail(failureOf("upstream_bad_response", "stream beyond its bounds", { mayHaveCost: true }));
    if (!this.isOver) this.listener.onBatchEnd();
  }

  #onEvent(data: string): void {
    if (this.isOver) return;
    this.lastProgressAt = performance.now();
    this.hasBegun = true;
    if (data === "[DONE]") {
      this.#complete();
      return;
    }
    const chunk = parseUpstreamObject(data);
    if (!chunk) {
      this.fail(failureOf("upstream_bad_response", "not a chunk", { mayHaveCost: true }));
      return;
    }
    if (chunk.error) {
      this.fail(failureOfErrorMember(chunk.error));
      return;
    }
    if (!Array.isArray(chunk.choices)) chunk.choices = [];
    this.#note(chunk, chunk.choices as unknown[]);
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
    this.listener.onEnd(this.#end(), null);
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
