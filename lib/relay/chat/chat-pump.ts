/**
 * Reads one streamed answer to its end, even when its client has gone, and settles or releases its
 * operation.
 */
import { failureText, publicError } from "../../http/failure-answer";
import { pointsNumber } from "../../points";
import type {
  ChatEnd,
  ChatStreamListener,
  JsonObject,
  StreamControl,
  UpstreamFailure,
} from "../../upstream/provider";
import { releaseAfter } from "../order/hold";
import { customerError, cutError } from "../order/upstream-error";
import { ChunkQueue } from "./chunk-queue";
import type { TextOperation } from "./text-operation";

const DONE = "data: [DONE]\n\n";

export class ChatPump implements ChatStreamListener {
  /** The chunks that the client reads. */
  readonly queue = new ChunkQueue(
    () => this.#control?.resume(),
    () => this.#onClientGone(),
  );
  readonly #startedAt = performance.now();
  readonly #isUsageAsked: boolean;
  #control: StreamControl | null = null;
  #batch = "";
  #hasBegun = false;
  #created = 0;
  /** True once the client has received the notice that the answer ends early. */
  #isCut = false;
  #onBegin: ((failure: UpstreamFailure | null) => void) | null = null;

  constructor(
    readonly operation: TextOperation,
    /** Called once, when the operation of a stream that had started has ended. */
    readonly onEnded: () => void,
  ) {
    this.#isUsageAsked = operation.request.stream_options?.include_usage === true;
  }

  /**
   * Sends the request. Resolves with null at the first chunk, or with the failure that came before
   * it.
   */
  start(): Promise<UpstreamFailure | null> {
    const { operation } = this;
    return new Promise((resolve) => {
      this.#onBegin = resolve;
      this.#control = operation.deps.provider.stream(
        operation.channel,
        operation.upstreamBody(),
        this,
      );
    });
  }

  #begin(failure: UpstreamFailure | null): void {
    if (failure === null) {
      this.#hasBegun = true;
      this.operation.firstByteMs = performance.now() - this.#startedAt;
    }
    this.#onBegin?.(failure);
    this.#onBegin = null;
  }

  #onClientGone(): void {
    this.operation.isAbandoned = true;
    this.#batch = "";
    this.#control?.resume();
  }

  onChunk(chunk: JsonObject): void {
    if (!this.#hasBegun) this.#begin(null);
    if (this.queue.isClosed || !Array.isArray(chunk.choices) || chunk.choices.length === 0) return;
    const { operation } = this;
    chunk.id = operation.answerId;
    chunk.model = operation.request.model;
    // Our own usage chunk comes last, and only if the client asked for usage.
    if (this.#isUsageAsked) chunk.usage = null;
    else if (chunk.usage !== undefined) chunk.usage = undefined;
    if (typeof chunk.created === "number") this.#created = chunk.created;
    this.#batch += `data: ${JSON.stringify(chunk)}\n\n`;
  }

  onBatchEnd(): void {
    this.queue.push(this.#batch);
    this.#batch = "";
    if (this.queue.isFull) this.#control?.pause();
  }

  onStall(): void {
    this.queue.close();
  }

  onCut(failure: UpstreamFailure): void {
    this.#isCut = true;
    this.queue.push(`data: ${failureText(cutError(failure))}\n\n`);
    this.queue.end();
  }

  onEnd(end: ChatEnd, failure: UpstreamFailure | null): void {
    if (!this.#hasBegun) {
      this.#begin(failure);
      if (failure !== null) return;
    }
    if (!this.#isCut) this.onBatchEnd();
    void this.#finish(end, failure);
  }

  async #finish(end: ChatEnd, failure: UpstreamFailure | null): Promise<void> {
    const { operation, queue } = this;
    try {
      if (failure === null) {
        const amount = await operation.settle(end);
        const usage =
          this.#isUsageAsked && end.usage
            ? this.#usageChunk({ ...end.usage.reported, points: pointsNumber(amount) })
            : "";
        queue.push(usage + DONE);
      } else if (this.#isCut) await operation.endCut(end, failure);
      else {
        operation.deps.log.warn(
          { operationId: operation.id, code: failure.code, internal: failure.internal },
          "a stream broke off",
        );
        await releaseAfter(operation, failure, true, end.upstreamRef);
        queue.push(`data: ${failureText(customerError(failure))}\n\n`);
      }
    } catch (error) {
      operation.deps.log.error(
        { operationId: operation.id, err: error },
        "a stream could not be settled",
      );
      queue.push(`data: ${failureText(publicError(error))}\n\n`);
    } finally {
      queue.end();
      this.onEnded();
    }
  }

  #usageChunk(usage: object): string {
    const { answerId, request } = this.operation;
    const created = this.#created || Math.floor(Date.now() / 1000);
    return `data: ${JSON.stringify({ id: answerId, object: "chat.completion.chunk", created, model: request.model, choices: [], usage })}\n\n`;
  }
}
