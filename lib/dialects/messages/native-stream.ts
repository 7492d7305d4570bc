/** The events of an upstream that speaks the same API, under our id, model and usage. */
import type { RelayError } from "../../failures/relay-error";
import { isRecord } from "../../values/records";
import { choiceOf } from "../chat-parts";
import type { DialectEvent, DialectStream, JsonObject, StreamEnd } from "../text-dialect";
import { type Context, envelopeOf, usageBefore, usageOf } from "./answer-words";
import { failureBodyOf } from "./failure";
import { endOf, ownNames } from "./native-answer";
import { beginningOf, NativeOpenBlock } from "./native-open-block";

export class NativeStream implements DialectStream {
  readonly #context: Context;
  readonly #ownName: (name: string) => string;
  #hasStarted = false;
  #open: NativeOpenBlock | null = null;
  #blocks = 0;
  #calls = 0;
  #isBroken = false;
  #ending: JsonObject = {};

  constructor(context: Context) {
    this.#context = context;
    this.#ownName = ownNames(context);
  }

  #start(events: DialectEvent[]): void {
    if (this.#hasStarted) return;
    this.#hasStarted = true;
    const beginning = { stop_reason: null, stop_sequence: null, stop_details: null };
    const envelope = { ...envelopeOf(this.#context), content: [], ...beginning, container: null };
    // `message_delta` has the totals.
    events.push({
      type: "message_start",
      message: { ...envelope, usage: usageBefore(this.#context) },
    });
  }

  #begin(block: unknown, events: DialectEvent[]): void {
    this.#close(events);
    const { operationHex } = this.#context;
    const makeId = () => `toolu_${operationHex}_${this.#calls}`;
    const told = beginningOf(block, makeId, this.#ownName);
    if (told === null) {
      this.#isBroken ||= isRecord(block) && block.type === "tool_use";
      return;
    }
    const index = this.#blocks++;
    this.#open = new NativeOpenBlock(index, told);
    if (this.#open.isCall) this.#calls++;
    events.push({ type: "content_block_start", index, content_block: told });
  }

  /** Blocks come one after the other, so a delta belongs to the one that is open. */
  #continue(given: unknown, events: DialectEvent[]): void {
    if (this.#open === null && isRecord(given)) {
      if (given.type === "text_delta") this.#begin({ type: "text" }, events);
      if (given.type === "thinking_delta") this.#begin({ type: "thinking" }, events);
      if (given.type === "input_json_delta") this.#isBroken = true;
    }
    const delta = this.#open?.take(given) ?? null;
    if (this.#open === null || delta === null) return;
    events.push({ type: "content_block_delta", index: this.#open.index, delta });
  }

  #close(events: DialectEvent[]): void {
    if (this.#open === null) return;
    const { index } = this.#open;
    const { delta, isBroken } = this.#open.end();
    if (delta !== null) events.push({ type: "content_block_delta", index, delta });
    events.push({ type: "content_block_stop", index });
    this.#isBroken ||= isBroken;
    this.#open = null;
  }

  /** The only choice is an event. */
  chunk(chunk: JsonObject): readonly DialectEvent[] {
    const events: DialectEvent[] = [];
    this.#start(events);
    const { type, ...members } = choiceOf(chunk) ?? {};
    if (type === "message_delta" && isRecord(members.delta)) {
      const { stop_reason, stop_sequence, container } = members.delta;
      if (stop_reason) this.#ending = { stop_reason, stop_sequence, container };
    } else if (type === "ping") events.push({ type });
    else if (type === "content_block_start") this.#begin(members.content_block, events);
    else if (type === "content_block_stop") this.#close(events);
    else if (type === "content_block_delta") this.#continue(members.delta, events);
    return events;
  }

  end({ usage }: StreamEnd): readonly DialectEvent[] {
    const events: DialectEvent[] = [];
    this.#start(events);
    this.#close(events);
    const delta = endOf(this.#ending, { count: this.#calls, isBroken: this.#isBroken });
    events.push({ type: "message_delta", delta, usage: usageOf(usage) }, { type: "message_stop" });
    return events;
  }

  fail(error: RelayError): readonly DialectEvent[] {
    return [failureBodyOf(error, this.#context.requestId)];
  }
}
