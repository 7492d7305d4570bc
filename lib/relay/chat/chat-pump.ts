/**
 * Reads one streamed answer to its end, even when its client has gone, and settles or releases its
 * operation.
 */
import { canonicalContext } from "../../dialects/canonical-answer";
import { CanonicalChunks, SeveralAnswers } from "../../dialects/canonical-chunks";
import { publicError } from "../../http/failure-answer";
import type {
  ChatEnd,
  ChatStreamListener,
  ChunkSamples,
  JsonObject,
  StreamControl,
  TakeString,
  UpstreamFailure,
} from "../../upstream/provider";
import { customerError, cutError } from "../order/upstream-error";
import type { ClientStream } from "./client-stream";
import { type KeptStream, keptStreamOf } from "./kept-stream";
import type { StreamWriter } from "./text-form";
import type { TextOperation } from "./text-operation";

export class ChatPump implements ChatStreamListener {
  readonly #startedAt = performance.now();
  #control: StreamControl | null = null;
  /** Null for chunks that an upstream of the client's own API sends: they pass as they are. */
  readonly #chunks: CanonicalChunks | SeveralAnswers | null;
  #batch = "";
  #hasBegun = false;
  /** True once the client has received the notice that the answer ends early. */
  #isCut = false;
  readonly #kept: KeptStream | null;
  #onBegin: ((failure: UpstreamFailure | null) => void) | null = null;

  constructor(
    readonly operation: TextOperation,
    readonly writer: StreamWriter,
    readonly client: ClientStream,
    /** Called once, when the operation of a stream that had started has ended. */
    readonly onEnded: () => void,
  ) {
    this.#kept = keptStreamOf(operation);
    this.#chunks = operation.isNative ? null : this.#open();
  }

  #open(): CanonicalChunks | SeveralAnswers {
    const context = canonicalContext(this.operation.request, this.operation.id);
    return context.answers > 1 ? new SeveralAnswers(context) : new CanonicalChunks(context);
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
        operation.wireChannel,
        operation.upstreamBody(),
        this,
        operation.isNative,
        operation.images,
      );
      this.client.read(this.#control);
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

  onChunk(chunk: JsonObject): void {
    if (!this.#hasBegun) this.#begin(null);
    const isRead = !this.client.isGone || this.#kept !== null;
    if (!isRead || !Array.isArray(chunk.choices) || chunk.choices.length === 0) return;
    if (this.#chunks instanceof SeveralAnswers) {
      for (const told of this.#chunks.takeAll(chunk)) this.#write(this.writer.chunk(told));
      return;
    }
    const told = this.#chunks === null ? chunk : this.#chunks.take(chunk);
    if (told !== null) this.#write(this.writer.chunk(told));
  }

  #write(text: string): void {
    if (!this.client.isGone) this.#batch += text;
    this.operation.content?.add(text);
    this.#kept?.add(text);
  }

  openRepeats(samples: ChunkSamples): TakeString | null {
    if (this.#chunks instanceof SeveralAnswers) return null;
    if (this.#chunks?.take(samples[0]) === null || this.#chunks?.take(samples[1]) === null)
      return null;
    const around = this.writer.around?.(samples) ?? null;
    if (around === null) return null;
    const { before, after } = around;
    return (json) => this.#write(before + json + after);
  }

  /** The last text of the answer. */
  #tell(text: string): void {
    this.operation.content?.add(text);
    this.client.push(text);
  }

  onBatchEnd(): void {
    this.client.push(this.#batch);
    this.#batch = "";
    if (this.client.isFull) this.#control?.pause();
  }

  onStall(): void {
    this.client.close();
  }

  onCut(failure: UpstreamFailure): void {
    this.#isCut = true;
    this.#tell(this.writer.fail(cutError(failure)));
    this.client.end();
  }

  onEnd(end: ChatEnd, failure: UpstreamFailure | null): void {
    if (!this.#hasBegun) {
      this.#begin(failure);
      if (failure !== null) return;
    }
    if (!this.#isCut) this.onBatchEnd();
    void this.#finish(end, failure);
  }

  /** What is told of the answer when all of it has come. */
  #rest(): string {
    let text = "";
    for (const chunk of this.#chunks?.end() ?? []) text += this.writer.chunk(chunk);
    return text;
  }

  async #finish(end: ChatEnd, failure: UpstreamFailure | null): Promise<void> {
    const { operation, client, writer } = this;
    try {
      if (failure === null) {
        const rest = this.#rest();
        this.#kept?.add(rest);
        await this.#kept?.keep(await writer.end(end, operation.amountOf(end) ?? 0n));
        const amount = await operation.settle(end);
        const last = writer.end(end, amount);
        this.#tell(rest + (typeof last === "string" ? last : await last));
      } else if (this.#isCut) await operation.endCut(end, failure);
      else {
        operation.deps.log.warn(
          { operationId: operation.id, code: failure.code, internal: failure.internal },
          "a stream broke off",
        );
        await operation.breakOff(end, failure);
        this.#tell(writer.fail(customerError(failure)));
      }
    } catch (error) {
      operation.deps.log.error(
        { operationId: operation.id, err: error },
        "a stream could not be settled",
      );
      this.#tell(writer.fail(publicError(error)));
    } finally {
      client.end();
      this.onEnded();
    }
  }
}
