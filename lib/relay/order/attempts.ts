import type { AttemptFailure } from "../../upstream/attempt";
import type { Chooser } from "../../upstream/choose";
import type { Channel } from "../../upstream/provider";

/** Notes the calls of one order that its row does not tell of, each with its time. */
export class Attempts {
  #sentAt = performance.now();

  constructor(
    readonly chooser: Pick<Chooser, "reportAttempt">,
    readonly operationId: string,
    /** Catalogue identifier. */
    readonly model: string,
  ) {}

  /** The next call begins. */
  begin(): void {
    this.#sentAt = performance.now();
  }

  failed(channel: Channel, failure: AttemptFailure, upstreamRef: string | null = null): void {
    this.#note(channel, failure, upstreamRef);
  }

  /** The row of the request names the channel, but not which of its credentials answered. */
  answered(channel: Channel): void {
    if (channel.credential !== undefined) this.#note(channel, null, null);
  }

  #note(channel: Channel, failure: AttemptFailure | null, upstreamRef: string | null): void {
    const { operationId, model } = this;
    const tookMs = performance.now() - this.#sentAt;
    this.chooser.reportAttempt({ operationId, channel, model, failure, upstreamRef, tookMs });
  }
}
