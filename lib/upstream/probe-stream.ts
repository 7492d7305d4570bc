/** Reads the stream that answers a question, and ends it when it runs on. */
import { failureOf } from "./failure";
import { type Observed, Said, unanswered } from "./observed";
import type { ChatEnd, ChatStreamListener, JsonObject, UpstreamFailure } from "./provider";

/** Far more than the answer to any question, thinking included. */
const CHUNKS_MAX = 2000;

const cut = failureOf("upstream_bad_response", "an answer far longer than requested");

export class StreamProbe implements ChatStreamListener {
  readonly #said = new Said();
  #chunks = 0;
  /** Ends the call; set when it has been sent. */
  stop: (failure: UpstreamFailure) => void = () => {};

  constructor(readonly resolve: (observed: Observed) => void) {}

  onChunk({ choices }: JsonObject): void {
    if (!Array.isArray(choices) || choices.length === 0) return;
    this.#chunks++;
    if (!this.#said.runsOn) this.#said.add(choices);
  }

  onBatchEnd(): void {
    if (this.#said.runsOn || this.#chunks > CHUNKS_MAX) this.stop(cut);
  }

  onStall(): void {}

  /** The rest would be read for its usage, for minutes. */
  onCut(failure: UpstreamFailure): void {
    this.stop(failure);
  }

  onEnd(end: ChatEnd, failure: UpstreamFailure | null): void {
    const { text, hasCalls, calls, thinks, finishReason, runsOn } = this.#said;
    const chunks = this.#chunks;
    const said = { runsOn, end, text, hasCalls, calls, thinks, finishReason, chunks };
    this.resolve({ ...unanswered(runsOn ? null : failure), ...said });
  }
}
