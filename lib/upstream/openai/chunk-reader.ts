import type { ChatEnd, JsonObject } from "../provider";
import { referenceOf } from "../transport/answer-members";
import { failureOfStatus } from "../transport/status-failure";
import type { EventReader, StreamCall } from "../transport/stream-call";
import { asObject, parseUpstreamObject } from "../transport/upstream-json";
import { carriesContent } from "./plain-call";
import { readUsage, usageOf } from "./usage";

/** Reads the chunks of a completion. */
export class ChunkReader implements EventReader {
  readonly takesJson = true;
  readonly failureOfRefusal = failureOfStatus;
  #usage: unknown = null;
  /**
   * True once the usage came where it covers the whole answer: without choices, or after a finish
   * reason.
   */
  #isUsageFinal = false;
  #isFinished = false;
  #hasContent = false;
  #upstreamRef: string | null = null;

  get isWhole(): boolean {
    return this.#isUsageFinal;
  }

  get isFinished(): boolean {
    return this.#isFinished || this.#isUsageFinal;
  }

  read(data: string, call: StreamCall): void {
    if (data === "[DONE]") {
      call.complete();
      return;
    }
    const chunk = parseUpstreamObject(data);
    if (!chunk) call.refuse("not a chunk");
    else if (chunk.error) call.fail(chunk.error);
    else {
      const choices: unknown[] = Array.isArray(chunk.choices) ? chunk.choices : [];
      if (choices !== chunk.choices) chunk.choices = choices;
      this.#note(chunk, choices);
      call.forward(chunk);
    }
  }

  #note(chunk: JsonObject, choices: readonly unknown[]): void {
    this.#upstreamRef ??= referenceOf(chunk);
    for (const item of choices) {
      const choice = asObject(item);
      if (choice?.finish_reason) this.#isFinished = true;
      if (!this.#hasContent && carriesContent(asObject(choice?.delta))) this.#hasContent = true;
    }
    const usage = usageOf(chunk);
    if (usage === null) return;
    this.#usage = usage;
    this.#isUsageFinal = this.#isFinished || choices.length === 0;
  }

  end(): ChatEnd {
    const { usage, fault } = readUsage(this.#usage);
    return {
      usage,
      usageFault: fault,
      hasContent: this.#hasContent,
      upstreamRef: this.#upstreamRef,
    };
  }
}
