/** The tool calls of a streamed answer. Each stays open until its end, which tells how it ended. */
import type { ToolCallPart } from "../chat-parts";
import { type Emit, OpenCall } from "./open-items";
import { callIdOf, isCallable } from "./output-items";
import type { OfferedTool } from "./tools";

export class OpenCalls {
  /** The calls by their index in the answer; null for one that cannot be sent back. */
  readonly #known = new Map<number, OpenCall | null>();
  readonly #calls: OpenCall[] = [];

  constructor(
    readonly emit: Emit,
    readonly operationHex: string,
    readonly offered: ReadonlyMap<string, OfferedTool>,
    /** The index of a new item; null when there are too many. */
    readonly takeIndex: () => number | null,
  ) {}

  /** A piece of a call: its beginning, or further text of its arguments. */
  take({ index, id, name, argumentsText }: ToolCallPart): void {
    let call = this.#known.get(index);
    if (call === undefined) {
      call = isCallable(name, this.offered) ? this.#open(id, name) : null;
      this.#known.set(index, call);
    }
    call?.grow(argumentsText);
  }

  #open(id: string | null, name: string): OpenCall | null {
    const index = this.takeIndex();
    if (index === null) return null;
    const { emit, operationHex, offered } = this;
    const callId = callIdOf(id, operationHex, index);
    const call = new OpenCall(emit, operationHex, index, callId, name, offered.get(name));
    this.#calls.push(call);
    return call;
  }

  /** All calls in the order of the output. */
  all(): readonly OpenCall[] {
    return this.#calls;
  }
}
