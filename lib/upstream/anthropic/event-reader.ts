import type { ChatEnd, JsonObject } from "../provider";
import { referenceOf } from "../transport/answer-members";
import { errorIn } from "../transport/error-member";
import type { EventReader, StreamCall } from "../transport/stream-call";
import { asObject, parseUpstreamObject } from "../transport/upstream-json";
import { ChatChunks } from "./chunks";
import { eventsOfMessage } from "./events-of-message";
import { mergedUsage, readUsage } from "./usage";

const beforeContent: ReadonlySet<string> = new Set(["message_start", "ping"]);

/** Reads the events of a message: complete with its stop reason, its usage with the totals. */
export class MessageEvents implements EventReader {
  readonly #chunks = new ChatChunks();
  /** The counts of the beginning: not to be billed without those of the end. */
  #started: unknown = null;
  #totals: unknown = null;
  #isFinished = false;
  #hasContent = false;
  #upstreamRef: string | null = null;

  constructor(readonly isNative: boolean) {}

  get isWhole(): boolean {
    return this.#isFinished && this.#totals !== null;
  }

  get isFinished(): boolean {
    return this.#isFinished;
  }

  read(data: string, call: StreamCall): void {
    const event = parseUpstreamObject(data);
    if (event === null) call.refuse("not an event");
    else this.#take(event, call);
  }

  #take(event: JsonObject, call: StreamCall): void {
    const error = errorIn(event);
    if (error !== null) call.fail(error);
    else if (event.type === "error") call.fail(event);
    else if (typeof event.type === "string") {
      this.#note(event);
      if (event.type === "message_stop") call.complete();
      else if (call.flow.cutFailure === null) this.#forward(event, event.type, call);
    }
  }

  readWhole(body: JsonObject, call: StreamCall): boolean {
    if (!Array.isArray(body.content) || body.type !== "message") return false;
    for (const event of eventsOfMessage(body)) this.#take(event, call);
    return true;
  }

  #forward(event: JsonObject, type: string, call: StreamCall): void {
    const chunk = this.isNative ? { choices: [event] } : this.#chunks.of(event);
    // Until something is said, the call may still fail as a whole.
    if (chunk === null || (!call.flow.isShown && beforeContent.has(type))) return;
    call.forward(chunk);
  }

  #note(event: JsonObject): void {
    if (event.type === "message_start") {
      const message = asObject(event.message) ?? {};
      this.#upstreamRef ??= referenceOf(message);
      this.#started = message.usage ?? null;
    } else if (event.type === "message_delta") {
      if (event.usage) this.#totals = event.usage;
      if (asObject(event.delta)?.stop_reason) this.#isFinished = true;
    } else if (event.type === "content_block_start" || event.type === "content_block_delta")
      this.#hasContent = true;
  }

  end(): ChatEnd {
    const { usage, fault } = readUsage(
      this.#totals === null ? null : mergedUsage(this.#started, this.#totals),
    );
    return {
      usage,
      usageFault: fault,
      hasContent: this.#hasContent,
      upstreamRef: this.#upstreamRef,
    };
  }
}
