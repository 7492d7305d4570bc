/** The chunks of a chat answer as the events of the Messages API. */
import type { RelayError } from "../../failures/relay-error";
import { GrowingDetails, signaturesBefore } from "../carried";
import { answerParts, choiceOf, type ToolCallPart } from "../chat-parts";
import type { DialectEvent, DialectStream, JsonObject, StreamEnd } from "../text-dialect";
import {
  type Context,
  envelopeOf,
  OWN_SIGNATURE,
  stopReasonOf,
  stopSequenceOf,
  toolIdOf,
  usageBefore,
  usageOf,
} from "./answer-words";
import { failureBodyOf } from "./failure";

const emptyBlocks = {
  thinking: { type: "thinking", thinking: "", signature: "" },
  text: { type: "text", text: "" },
} as const;

const deltaOf = (index: number, delta: object): DialectEvent => ({
  type: "content_block_delta",
  index,
  delta,
});

/** One block is open at a time. */
export class MessageStream implements DialectStream {
  readonly #context: Context;
  #hasStarted = false;
  #open: "thinking" | "text" | "tool" | null = null;
  #nextIndex = 0;
  readonly #details = new GrowingDetails();
  /** Of the thinking that is open. */
  #signature = OWN_SIGNATURE;
  /** The index of the call whose block is the last of a call. */
  #tool = -1;
  #hasRefusal = false;
  #stopSequence: string | null = null;

  constructor(context: Context) {
    this.#context = context;
  }

  #start(events: DialectEvent[]): void {
    if (this.#hasStarted) return;
    this.#hasStarted = true;
    const message = {
      ...envelopeOf(this.#context),
      content: [],
      stop_reason: null,
      stop_sequence: null,
      stop_details: null,
      container: null,
      // `message_delta` has the totals.
      usage: usageBefore(this.#context),
    };
    events.push({ type: "message_start", message }, { type: "ping" });
  }

  #close(events: DialectEvent[]): void {
    if (this.#open === null) return;
    // Clients send back only what is signed.
    if (this.#open === "thinking")
      events.push(
        deltaOf(this.#nextIndex - 1, { type: "signature_delta", signature: this.#signature }),
      );
    events.push({ type: "content_block_stop", index: this.#nextIndex - 1 });
    this.#open = null;
    this.#signature = OWN_SIGNATURE;
  }

  #openBlock(kind: "thinking" | "text" | "tool", block: object, events: DialectEvent[]): void {
    this.#close(events);
    const index = this.#nextIndex++;
    events.push({ type: "content_block_start", index, content_block: block });
    this.#open = kind;
  }

  #addText(kind: "thinking" | "text", text: string, events: DialectEvent[]): void {
    if (text === "") return;
    if (this.#open !== kind) this.#openBlock(kind, emptyBlocks[kind], events);
    const delta =
      kind === "text" ? { type: "text_delta", text } : { type: "thinking_delta", thinking: text };
    events.push(deltaOf(this.#nextIndex - 1, delta));
  }

  #addToolCall(
    { index, id, name, argumentsText, signature }: ToolCallPart,
    events: DialectEvent[],
  ): void {
    if (index > this.#tool) {
      this.#tool = index;
      const details = () => this.#details.signature;
      for (const one of signaturesBefore(index === 0, details, signature)) {
        this.#openBlock("thinking", emptyBlocks.thinking, events);
        this.#signature = one;
      }
      const block = { id: toolIdOf(id, this.#context, index), name: name ?? "", input: {} };
      this.#openBlock("tool", { type: "tool_use", ...block }, events);
    }
    if (argumentsText === "" || this.#open !== "tool") return;
    const delta = { type: "input_json_delta", partial_json: argumentsText };
    events.push(deltaOf(this.#nextIndex - 1, delta));
  }

  chunk(canonicalChunk: JsonObject): readonly DialectEvent[] {
    const events: DialectEvent[] = [];
    this.#start(events);
    const choice = choiceOf(canonicalChunk);
    if (choice === null) return events;
    const { reasoning, text, refusal, toolCalls, details } = answerParts(choice.delta);
    this.#details.take(details);
    this.#addText("thinking", reasoning, events);
    this.#addText("text", text, events);
    this.#addText("text", refusal, events);
    if (refusal !== "") this.#hasRefusal = true;
    for (const call of toolCalls) this.#addToolCall(call, events);
    this.#stopSequence ??= stopSequenceOf(choice, this.#context);
    return events;
  }

  end({ usage, finishReason }: StreamEnd): readonly DialectEvent[] {
    const events: DialectEvent[] = [];
    this.#start(events);
    this.#close(events);
    const delta = {
      stop_reason: stopReasonOf({
        finishReason,
        hasRefusal: this.#hasRefusal,
        stopSequence: this.#stopSequence,
      }),
      stop_sequence: this.#stopSequence,
      stop_details: null,
      container: null,
    };
    events.push({ type: "message_delta", delta, usage: usageOf(usage) }, { type: "message_stop" });
    return events;
  }

  fail(error: RelayError): readonly DialectEvent[] {
    return [failureBodyOf(error, this.#context.requestId)];
  }
}
