/** The tool calls of a streamed answer. Each stays open until its end, which tells how it ended. */
import { type GrowingDetails, signaturesBefore } from "../carried";
import type { ToolCallPart } from "../chat-parts";
import { type Emit, OpenCall, type OpenItem, OpenSignature } from "./open-items";
import { callIdOf, isCallable } from "./output-items";
import type { OfferedTool } from "./tools";

export class OpenCalls {
  /** The calls by their index in the answer; null for one that cannot be sent back. */
  readonly #known = new Map<number, OpenCall | null>();
  readonly #items: OpenItem[] = [];

  constructor(
    readonly emit: Emit,
    readonly operationHex: string,
    readonly offered: ReadonlyMap<string, OfferedTool>,
    /** The index of a new item; null when there are too many. */
    readonly takeIndex: () => number | null,
  ) {}

  /**
   * A piece of a call: its beginning, or further text of its arguments. `details`: those of the
   * thinking before the first call.
   */
  take(part: ToolCallPart, details: GrowingDetails): void {
    const { index, id, name, argumentsText, signature } = part;
    let call = this.#known.get(index);
    if (call === undefined) {
      call = null;
      if (isCallable(name, this.offered)) {
        const isFirst = this.#known.size === 0;
        for (const one of signaturesBefore(isFirst, () => details.signature, signature))
          this.#sign(one);
        call = this.#open(id, name);
      }
      this.#known.set(index, call);
    }
    call?.grow(argumentsText);
  }

  #sign(signature: string): void {
    const index = this.takeIndex();
    if (index !== null)
      this.#items.push(new OpenSignature(this.emit, this.operationHex, index, signature));
  }

  #open(id: string | null, name: string): OpenCall | null {
    const index = this.takeIndex();
    if (index === null) return null;
    const { emit, operationHex, offered } = this;
    const callId = callIdOf(id, operationHex, index);
    const call = new OpenCall(emit, operationHex, index, callId, name, offered.get(name));
    this.#items.push(call);
    return call;
  }

  /** All calls in the order of the output, with what signs the thinking before them. */
  all(): readonly OpenItem[] {
    return this.#items;
  }
}
