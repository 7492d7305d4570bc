/** The events of an upstream that speaks the same API, under our id, model and usage. */
import type { RelayError } from "../../errors";
import { isRecord } from "../../records";
import { choiceOf } from "../chat-parts";
import type { DialectEvent, DialectStream, JsonObject, StreamEnd } from "../text-dialect";
import { type Context, envelopeOf, usageBefore, usageOf } from "./answer-words";
import { failureBodyOf } from "./failure";
import { endOf } from "./native-answer";

const forwarded: ReadonlySet<string> = new Set([
  "ping",
  "content_block_start",
  "content_block_delta",
  "content_block_stop",
]);

export class NativeStream implements DialectStream {
  readonly #context: Context;
  #hasStarted = false;
  /** The index of the block that is open. */
  #open: unknown = null;
  #ending: JsonObject = {};

  constructor(context: Context) {
    this.#context = context;
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

  /** The only choice is an event. */
  chunk(chunk: JsonObject): readonly DialectEvent[] {
    const events: DialectEvent[] = [];
    this.#start(events);
    const { type, ...members } = choiceOf(chunk) ?? {};
    if (type === "message_delta" && isRecord(members.delta)) {
      const { stop_reason, stop_sequence } = members.delta;
      if (stop_reason) this.#ending = { stop_reason, stop_sequence };
    }
    if (typeof type !== "string" || !forwarded.has(type)) return events;
    if (type === "content_block_start") this.#open = members.index;
    if (type === "content_block_stop") this.#open = null;
    events.push({ type, ...members });
    return events;
  }

  end({ usage }: StreamEnd): readonly DialectEvent[] {
    const events: DialectEvent[] = [];
    this.#start(events);
    if (this.#open !== null) events.push({ type: "content_block_stop", index: this.#open });
    const delta = endOf(this.#ending);
    events.push({ type: "message_delta", delta, usage: usageOf(usage) }, { type: "message_stop" });
    return events;
  }

  fail(error: RelayError): readonly DialectEvent[] {
    return [failureBodyOf(error, this.#context.requestId)];
  }
}
