/** A streamed answer that is stored as a whole, for a page that was closed or loaded again. */
import { RelayError } from "../../failures/relay-error";
import { releaseHold } from "../order/hold";
import type { TextOperation } from "./text-operation";

/** A longer answer is not stored: who asks for it later is told that it has ended and was charged. */
const KEPT_STREAM_CHARACTERS_MAX = 4 * 1024 * 1024;

export class KeptStream {
  #parts: string[] | null = [];
  #length = 0;

  constructor(readonly operation: TextOperation) {}

  add(text: string): void {
    this.#length += text.length;
    if (this.#length > KEPT_STREAM_CHARACTERS_MAX) this.#parts = null;
    this.#parts?.push(text);
  }

  /** Stores it, with its end, before it is charged. Throws where a retry took the request over. */
  async keep(last: string): Promise<void> {
    const { operation } = this;
    const { idempotency } = operation.call;
    if (this.#parts === null || idempotency === undefined) return;
    const text = this.#parts.join("") + last;
    this.#parts = null;
    if (await idempotency.keep(text)) return;
    await releaseHold(operation, "taken_over", { failure: "taken_over" });
    throw new RelayError("idempotency_in_progress", { retryAfterSeconds: 1 });
  }
}

/** Null where the answer is not stored. */
export const keptStreamOf = (operation: TextOperation): KeptStream | null =>
  operation.call.idempotency?.keepsStream === true ? new KeptStream(operation) : null;
