/**
 * A plain answer that is too large to buffer. It is forwarded in pieces, and its last byte is sent
 * only after its charge is durable. One that may still be mended waits for its end.
 */
import { isRelayError } from "../../failures/relay-error";
import type { Outgoing } from "../../http/exchange";
import { JSON_TYPE } from "../../http/failure-answer";
import { type Micropoints, pointsNumber } from "../../money/points";
import { resolvers } from "../../timing/resolvers";
import type {
  ChatEnd,
  JsonObject,
  LargeAnswer,
  LargeAnswerListener,
  StreamControl,
  UpstreamFailure,
} from "../../upstream/provider";
import { isRecord } from "../../values/records";
import { customerError } from "../order/upstream-error";
import { answerWhole } from "./answer-whole";
import { ChunkQueue } from "./chunk-queue";
import type { TextOperation } from "./text-operation";

/**
 * The answer to a request with an Idempotency-Key is stored for retries up to this length. A longer
 * one is forwarded and not stored.
 */
export const KEPT_CHARACTERS_MAX = 16 * 1024 * 1024;

/** A longer answer is forwarded as it came: reading and writing one takes 10 to 15 ms a MiB. */
const MENDED_CHARACTERS_MAX = 4 * 1024 * 1024;
/** One of a million small objects takes half a second. */
const MENDED_OBJECTS_MAX = 20_000;

/** The answer in the form in which every client reads it. */
type Mend = (body: JsonObject, end: ChatEnd) => string;

class LargePump implements LargeAnswerListener {
  /** The chunks that the client reads. */
  readonly queue = new ChunkQueue(
    () => this.#control?.resume(),
    () => this.#onClientGone(),
  );
  readonly #answer = resolvers<Outgoing>();
  #control: StreamControl | null = null;
  #isCut = false;
  /** Null when the answer is neither stored nor mended. */
  #kept: string[] | null;
  #keptLength = 0;
  readonly #keptMax: number;

  constructor(
    readonly operation: TextOperation,
    large: LargeAnswer,
    readonly mend: Mend | null,
    readonly onEnded: () => void,
  ) {
    const { idempotency } = operation.call;
    const isStored = idempotency ? idempotency.keepsLarge !== false : false;
    this.#keptMax = isStored ? KEPT_CHARACTERS_MAX : MENDED_CHARACTERS_MAX;
    this.#kept = isStored || mend !== null ? [] : null;
    if (this.#kept === null) this.#passOn();
    const head = `{"id":${JSON.stringify(operation.answerId)},"model":${JSON.stringify(operation.request.model)}`;
    this.onText(head);
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
    if (this.#keptLength <= this.#keptMax) return;
    for (const part of this.#kept) this.queue.push(part);
    this.#kept = null;
    this.#passOn();
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
      this.#answer.resolve(
        await answerWhole(operation, this.#whole(this.#kept.join(""), end), end),
      );
      return;
    }
    const amount = await operation.settle(end);
    queue.push(tailOf(end, amount));
  }

  #whole(kept: string, end: ChatEnd): string {
    const { mend, operation } = this;
    const isMended = mend !== null && kept.length <= MENDED_CHARACTERS_MAX && hasFewObjects(kept);
    const body = isMended ? parsed(`${kept}}`) : null;
    return mend !== null && body !== null
      ? mend(body, end)
      : `${kept}${tailOf(end, operation.amountOf(end))}`;
  }
}

function hasFewObjects(text: string): boolean {
  let at = -1;
  for (let count = 0; count <= MENDED_OBJECTS_MAX; count++) {
    at = text.indexOf("{", at + 1);
    if (at === -1) return true;
  }
  return false;
}

function parsed(text: string): JsonObject | null {
  try {
    const body: unknown = JSON.parse(text);
    return isRecord(body) ? body : null;
  } catch {
    return null;
  }
}

function tailOf({ usage }: ChatEnd, amount: Micropoints | null): string {
  return usage === null
    ? "}"
    : `,"usage":${JSON.stringify({ ...usage.reported, points: pointsNumber(amount ?? 0n) })}}`;
}

/**
 * Answers as soon as the status is known, or with `mend` as soon as the answer is. `onEnded` is called when the operation has ended, also
 * when the client has gone.
 */
export function answerLarge(
  operation: TextOperation,
  large: LargeAnswer,
  mend: Mend | null,
  onEnded: () => void,
): Promise<Outgoing> {
  return new LargePump(operation, large, mend, onEnded).answer;
}
