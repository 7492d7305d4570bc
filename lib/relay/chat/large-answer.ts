/**
 * A plain answer that is too large to buffer. It is forwarded in pieces, and its last byte is sent
 * only after its charge is durable. Its message is mended once it is complete.
 */
import { isRelayError } from "../../failures/relay-error";
import type { Outgoing } from "../../http/exchange";
import { JSON_TYPE } from "../../http/failure-answer";
import { type Micropoints, pointsNumber } from "../../money/points";
import { resolvers } from "../../timing/resolvers";
import type {
  ChatEnd,
  KeptChoice,
  LargeAnswer,
  LargeAnswerListener,
  StreamControl,
  UpstreamFailure,
} from "../../upstream/provider";
import { customerError } from "../order/upstream-error";
import { answerWhole } from "./answer-whole";
import { ChunkQueue } from "./chunk-queue";
import type { TextOperation } from "./text-operation";

/**
 * The answer to a request with an Idempotency-Key is stored for retries up to this length. A longer
 * one is forwarded and not stored.
 */
export const KEPT_CHARACTERS_MAX = 16 * 1024 * 1024;

/** See `LargeAnswerListener`. */
type Mend = (choice: KeptChoice) => string | null;

class LargePump implements LargeAnswerListener {
  /** The chunks that the client reads. */
  readonly queue = new ChunkQueue(
    () => this.#control?.resume(),
    () => this.#onClientGone(),
  );
  readonly #answer = resolvers<Outgoing>();
  #control: StreamControl | null = null;
  #isCut = false;
  /** Null when the answer is not stored. */
  #kept: string[] | null;
  #keptLength = 0;

  constructor(
    readonly operation: TextOperation,
    large: LargeAnswer,
    readonly mendedChoice: Mend,
    readonly onEnded: () => void,
  ) {
    const { idempotency } = operation.call;
    const isStored = idempotency ? idempotency.keepsLarge !== false : false;
    this.#kept = isStored ? [] : null;
    if (this.#kept === null) this.#passOn();
    const id = JSON.stringify(operation.answerId);
    const model = JSON.stringify(operation.request.model);
    this.onText(`{"id":${id},"object":"chat.completion","model":${model}`);
    this.#control = large.read(this);
    if (this.queue.isFull) this.#control.pause();
    if (operation.isAbandoned && this.#kept === null) this.queue.close();
  }

  get answer(): Promise<Outgoing> {
    return this.#answer.promise;
  }

  #passOn(): void {
    const { call } = this.operation;
    call.headers["content-type"] = JSON_TYPE;
    this.#answer.resolve({ status: 200, headers: call.headers, body: this.queue });
  }

  #onClientGone(): void {
    this.operation.isAbandoned = true;
    this.#control?.resume();
  }

  onText(text: string): void {
    if (this.#kept === null) {
      this.queue.push(text);
      if (this.queue.isFull) this.#control?.pause();
      return;
    }
    this.#kept.push(text);
    this.#keptLength += text.length;
    if (this.#keptLength <= KEPT_CHARACTERS_MAX) return;
    for (const part of this.#kept) this.queue.push(part);
    this.#kept = null;
    this.#passOn();
  }

  /** An upstream may send more answers than it was asked for. */
  onOthers(text: string): void {
    if ((this.operation.request.n ?? 1) !== 1) this.onText(text);
  }

  onStall(): void {
    this.queue.close();
  }

  onCut(): void {
    this.#isCut = true;
    if (this.#kept === null) this.queue.fail(new Error("the answer was ended by the relay"));
  }

  onEnd(end: ChatEnd, failure: UpstreamFailure | null): void {
    void this.#finish(end, failure);
  }

  async #finish(end: ChatEnd, failure: UpstreamFailure | null): Promise<void> {
    const { operation, queue } = this;
    try {
      if (failure === null) await this.#complete(end);
      else {
        if (this.#isCut) await operation.endCut(end, failure);
        else await operation.breakOff(end, failure);
        this.#breakOff(customerError(failure));
      }
    } catch (error) {
      if (!isRelayError(error))
        operation.deps.log.error(
          { operationId: operation.id, err: error },
          "a large answer could not be settled",
        );
      this.#breakOff(error as Error);
    } finally {
      queue.end();
      this.onEnded();
    }
  }

  /**
   * The status was sent with the first piece. Cutting the connection is the only way to say that
   * the answer is incomplete.
   */
  #breakOff(error: Error): void {
    if (this.#kept === null) this.queue.fail(error);
    else this.#answer.reject(error);
  }

  async #complete(end: ChatEnd): Promise<void> {
    const { operation, queue } = this;
    if (this.#kept !== null) {
      const text = `${this.#kept.join("")}${tailOf(end, operation.amountOf(end))}`;
      this.#answer.resolve(await answerWhole(operation, text, end));
      return;
    }
    const amount = await operation.settle(end);
    queue.push(tailOf(end, amount));
  }
}

function tailOf({ usage }: ChatEnd, amount: Micropoints | null): string {
  if (usage === null) return "}";
  const tier = usage.tier?.service_tier;
  const served = tier === undefined ? "" : `,"service_tier":${JSON.stringify(tier)}`;
  return `${served},"usage":${JSON.stringify({ ...usage.reported, points: pointsNumber(amount ?? 0n) })}}`;
}

/**
 * Answers as soon as the status is known. `onEnded` is called when the operation has ended, also when
 * the client has gone.
 */
export function answerLarge(
  operation: TextOperation,
  large: LargeAnswer,
  mend: Mend,
  onEnded: () => void,
): Promise<Outgoing> {
  return new LargePump(operation, large, mend, onEnded).answer;
}
