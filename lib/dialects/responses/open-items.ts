/**
 * The items of a streamed answer while they grow. Each sends the events of its beginning, its parts
 * and its end, and keeps its text for the events that repeat it.
 */
import type { JsonObject } from "../text-dialect";
import {
  callItem,
  type ItemStatus,
  messageItem,
  reasoningItem,
  refusalPart,
  summaryPart,
  textPart,
} from "./output-items";
import { customInput, type OfferedTool } from "./tools";

export type Emit = (type: string, members: JsonObject) => void;
type EndStatus = Exclude<ItemStatus, "in_progress">;

interface Place extends JsonObject {
  readonly item_id: unknown;
  readonly output_index: number;
}

function begin(emit: Emit, index: number, item: JsonObject): Place {
  emit("response.output_item.added", { output_index: index, item });
  return { item_id: item.id, output_index: index };
}

function finish(emit: Emit, index: number, item: JsonObject): JsonObject {
  emit("response.output_item.done", { output_index: index, item });
  return item;
}

export interface OpenItem {
  readonly index: number;
  /** Sends the last events of the item, and returns it as it is in the output. */
  close(status: EndStatus): JsonObject;
}

/** Text and refusals; one part at a time grows. */
export class OpenMessage implements OpenItem {
  readonly kind = "message";
  readonly #place: Place;
  readonly #parts: JsonObject[] = [];
  #growing: "output_text" | "refusal" | null = null;
  #text = "";
  #logprobs: unknown[] = [];

  constructor(
    readonly emit: Emit,
    readonly operationHex: string,
    readonly index: number,
  ) {
    this.#place = begin(emit, index, messageItem(operationHex, index, "in_progress", []));
  }

  say(delta: string, logprobs: readonly unknown[]): void {
    this.#grow("output_text", delta);
    this.#logprobs.push(...logprobs);
    if (delta !== "") this.#tell("response.output_text.delta", { delta, logprobs });
  }

  refuse(delta: string): void {
    this.#grow("refusal", delta);
    this.#tell("response.refusal.delta", { delta });
  }

  #tell(type: string, members: JsonObject): void {
    this.emit(type, { ...this.#place, content_index: this.#parts.length, ...members });
  }

  #part(): JsonObject {
    return this.#growing === "refusal"
      ? refusalPart(this.#text)
      : textPart(this.#text, this.#logprobs);
  }

  #grow(kind: "output_text" | "refusal", delta: string): void {
    if (this.#growing !== kind) {
      this.#endPart();
      this.#growing = kind;
      this.#tell("response.content_part.added", { part: this.#part() });
    }
    this.#text += delta;
  }

  #endPart(): void {
    if (this.#growing === null) return;
    const part = this.#part();
    if (this.#growing === "refusal") this.#tell("response.refusal.done", { refusal: this.#text });
    else this.#tell("response.output_text.done", { text: this.#text, logprobs: this.#logprobs });
    this.#tell("response.content_part.done", { part });
    this.#parts.push(part);
    this.#growing = null;
    this.#text = "";
    this.#logprobs = [];
  }

  close(status: EndStatus): JsonObject {
    this.#endPart();
    const { emit, operationHex, index } = this;
    return finish(emit, index, messageItem(operationHex, index, status, this.#parts));
  }
}

export class OpenReasoning implements OpenItem {
  readonly kind = "reasoning";
  readonly #place: Place;
  #text = "";

  constructor(
    readonly emit: Emit,
    readonly operationHex: string,
    readonly index: number,
  ) {
    this.#place = begin(emit, index, reasoningItem(operationHex, index, "in_progress", []));
    this.#tell("response.reasoning_summary_part.added", { part: summaryPart("") });
  }

  reason(delta: string): void {
    this.#text += delta;
    this.#tell("response.reasoning_summary_text.delta", { delta });
  }

  #tell(type: string, members: JsonObject): void {
    this.emit(type, { ...this.#place, summary_index: 0, ...members });
  }

  close(status: EndStatus): JsonObject {
    const part = summaryPart(this.#text);
    this.#tell("response.reasoning_summary_text.done", { text: this.#text });
    this.#tell("response.reasoning_summary_part.done", { part });
    const { emit, operationHex, index } = this;
    return finish(emit, index, reasoningItem(operationHex, index, status, [part]));
  }
}

/** What signs the thinking before a call. */
export class OpenSignature implements OpenItem {
  constructor(
    readonly emit: Emit,
    readonly operationHex: string,
    readonly index: number,
    readonly signature: string,
  ) {
    begin(emit, index, this.#item("in_progress"));
  }

  #item(status: ItemStatus): JsonObject {
    return reasoningItem(this.operationHex, this.index, status, [], this.signature);
  }

  close(status: EndStatus): JsonObject {
    return finish(this.emit, this.index, this.#item(status));
  }
}

/** The call of a tool, from the moment its name is known. */
export class OpenCall implements OpenItem {
  readonly #place: Place;
  #text = "";

  constructor(
    readonly emit: Emit,
    readonly operationHex: string,
    readonly index: number,
    readonly callId: string,
    readonly upstreamName: string,
    readonly offered: OfferedTool | undefined,
  ) {
    this.#place = begin(emit, index, this.#item("in_progress"));
  }

  #item(status: ItemStatus): JsonObject {
    const { operationHex, index, callId, upstreamName, offered } = this;
    return callItem(
      operationHex,
      index,
      status,
      { callId, upstreamName, text: this.#text },
      offered,
    );
  }

  /** Nothing else tells its arguments in pieces. */
  get #isFunction(): boolean {
    return (this.offered?.kind ?? "function") === "function";
  }

  grow(delta: string): void {
    this.#text += delta;
    if (this.#isFunction && delta !== "")
      this.emit("response.function_call_arguments.delta", { ...this.#place, delta });
  }

  close(status: EndStatus): JsonObject {
    const { emit, upstreamName, offered } = this;
    if (offered?.kind === "custom") {
      // The input is known once the arguments around it are complete.
      const input = customInput(this.#text);
      if (input !== "")
        emit("response.custom_tool_call_input.delta", { ...this.#place, delta: input });
      emit("response.custom_tool_call_input.done", { ...this.#place, input });
    } else if (this.#isFunction) {
      const name = offered?.name ?? upstreamName;
      const text = this.#text;
      emit("response.function_call_arguments.done", { ...this.#place, name, arguments: text });
    }
    return finish(emit, this.index, this.#item(status));
  }
}
