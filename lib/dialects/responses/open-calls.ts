/**
 * The tool calls of a streamed answer. Upstreams may mix the pieces of several calls, so each stays
 * open until the end.
 */
import type { ToolCallPart } from "../chat-parts";
import { type Emit, OpenCall } from "./open-items";
import { callIdOf, isCallable } from "./output-items";
import type { OfferedTool } from "./tools";

interface Slot {
  /** The upstream's id; null when it gave none. */
  readonly id: string | null;
  /** Null until the upstream told the name. */
  call: OpenCall | null;
  /** The arguments that came before the name. */
  waiting: string;
}

/** The most indices that an upstream may use. */
const SLOTS_MAX = 1024;

export class OpenCalls {
  /** The call that grows at each of the upstream's indices. */
  readonly #slots = new Map<number, Slot>();
  readonly #calls: OpenCall[] = [];

  constructor(
    readonly emit: Emit,
    readonly operationHex: string,
    readonly offered: ReadonlyMap<string, OfferedTool>,
    /** The index of a new item; null when there are too many. */
    readonly takeIndex: () => number | null,
  ) {}

  /**
   * A piece of a call: its name, if it is the first, and further text of its arguments. False when
   * there are too many calls.
   */
  take(piece: ToolCallPart): boolean {
    const slot = this.#slotOf(piece);
    if (slot === null) return false;
    const { name, argumentsText } = piece;
    if (slot.call === null && isCallable(name, this.offered)) slot.call = this.#open(slot.id, name);
    if (slot.call === null) slot.waiting += argumentsText;
    else {
      slot.call.grow(slot.waiting + argumentsText);
      slot.waiting = "";
    }
    return true;
  }

  /** Some upstreams give each call the same index, and another id. Null for too many indices. */
  #slotOf({ index, id, name }: ToolCallPart): Slot | null {
    const known = this.#slots.get(index ?? 0);
    const isAnother = known?.call && id !== null && name !== null && id !== known.id;
    if (known && !isAnother) return known;
    if (!known && this.#slots.size >= SLOTS_MAX) return null;
    const slot: Slot = { id, call: null, waiting: "" };
    this.#slots.set(index ?? 0, slot);
    return slot;
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
