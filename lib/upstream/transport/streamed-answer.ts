/**
 * A stream made from a whole answer, for an upstream whose own streams carry no usage. It begins when
 * the answer has come, so a failure before comes as that of any call.
 */
import { failureBeforeSending, failureOf } from "../failure";
import type {
  ChatEnd,
  ChatResult,
  ChatStreamListener,
  JsonObject,
  StreamControl,
  UpstreamFailure,
} from "../provider";
import { answerChunks } from "./answer-chunks";
import { LargeBody } from "./large-body";

const nothing: ChatEnd = { usage: null, usageFault: null, hasContent: false, upstreamRef: null };

export class StreamedAnswer implements StreamControl {
  #stopped: UpstreamFailure | null = null;
  #large: StreamControl | null = null;

  constructor(
    answer: Promise<ChatResult>,
    readonly listener: ChatStreamListener,
  ) {
    void answer
      .catch((error: unknown) => ({ isOk: false, failure: failureBeforeSending(error) }) as const)
      .then((result) => this.#onResult(result));
  }

  /** The answer is here as a whole, as a plain one is when it is sent: nothing can be held back. */
  pause(): void {}
  resume(): void {}

  stop(failure: UpstreamFailure): void {
    this.#stopped ??= failure;
    this.#large?.stop(failure);
  }

  #onResult(result: ChatResult): void {
    if (!result.isOk) this.listener.onEnd(nothing, this.#stopped ?? result.failure);
    else if (result.large) {
      const collected = new LargeBody((...ended) => this.#onAnswer(...ended));
      this.#large = result.large.read(collected);
      if (this.#stopped !== null) this.#large.stop(this.#stopped);
    } else this.#onAnswer(result.body, result.end, null);
  }

  #onAnswer(body: JsonObject | null, end: ChatEnd, failure: UpstreamFailure | null): void {
    const { listener } = this;
    const why = this.#stopped ?? failure ?? (body === null ? unread : null);
    if (why !== null || body === null) {
      listener.onEnd(end, why);
      return;
    }
    for (const chunk of answerChunks(body)) {
      listener.onChunk(chunk);
      listener.onBatchEnd();
    }
    listener.onEnd(end, null);
  }
}

const unread = failureOf("upstream_bad_response", "an answer too long to stream", {
  mayHaveCost: true,
});
