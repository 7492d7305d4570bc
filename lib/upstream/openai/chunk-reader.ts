import { failureOf } from "../failure";
import type { ChatEnd, JsonObject, TakeString } from "../provider";
import { answerChunks } from "../transport/answer-chunks";
import { referenceOf } from "../transport/answer-members";
import { errorIn } from "../transport/error-member";
import type { EventReader, StreamCall } from "../transport/stream-call";
import { asObject, parseUpstreamObject } from "../transport/upstream-json";
import { type ChunkPattern, learnPattern } from "./chunk-pattern";
import { carriesContent } from "./plain-call";
import { readUsage, usageOf } from "./usage";

/** Chunks that are parsed before a pattern is learned: in a short stream, learning would cost more than it saves. */
const PARSED_FIRST = 2;
/** After this many patterns that hardly any chunk matched, no further one is learned in the stream. */
const VAIN_PATTERNS_MAX = 3;
/** A pattern that matched at least this many chunks was worth learning. */
const REPEATS_WORTH = 4;

/** The end of a stream, as some servers write it. */
const otherDone = /^\s*"?\[?done\]?"?\s*$/i;

/** The end of an answer of which nothing came. */
const nothing = failureOf("upstream_failed", "an empty stream", { mayHaveCost: true });

const hasMessage = ({ choices }: JsonObject) =>
  Array.isArray(choices) &&
  choices.some((one) => {
    const choice = asObject(one);
    return choice?.message && !choice.delta;
  });

/** Reads the chunks of a completion. */
export class ChunkReader implements EventReader {
  #usage: unknown = null;
  /**
   * True once the usage came where it covers the whole answer: without choices, or after a finish
   * reason.
   */
  #isUsageFinal = false;
  #isFinished = false;
  #hasContent = false;
  #upstreamRef: string | null = null;
  /** What the chunks say of the tier. */
  #served: JsonObject = {};
  #pattern: ChunkPattern | null = null;
  #take: TakeString | null = null;
  #parsed = 0;
  #repeats = 0;
  #vainPatternsLeft = VAIN_PATTERNS_MAX;

  get isWhole(): boolean {
    return this.#isUsageFinal;
  }

  get isFinished(): boolean {
    return this.#isFinished || this.#isUsageFinal;
  }

  read(data: string, call: StreamCall): void {
    if (data === "[DONE]" || (!data.startsWith("{") && otherDone.test(data))) {
      if (this.#isFinished || this.#hasContent || this.#usage !== null) call.complete();
      else call.exchange.fail(nothing);
      return;
    }
    if (this.#take !== null && this.#readRepeat(data, call, this.#take)) return;
    const chunk = parseUpstreamObject(data);
    const error = chunk === null ? null : errorIn(chunk);
    if (chunk === null) call.refuse("not a chunk");
    else if (error !== null) call.fail(error);
    else if (!this.#hasContent && hasMessage(chunk)) this.#readMessage(chunk, call);
    else {
      const choices: unknown[] = Array.isArray(chunk.choices) ? chunk.choices : [];
      if (choices !== chunk.choices) chunk.choices = choices;
      this.#note(chunk, choices);
      call.forward(chunk);
      if (++this.#parsed > PARSED_FIRST && this.#vainPatternsLeft > 0)
        this.#learn(data, chunk, call);
    }
  }

  readWhole(body: JsonObject, call: StreamCall): boolean {
    if (!hasMessage(body)) return false;
    this.#readMessage(body, call);
    call.complete();
    return true;
  }

  /** A whole answer, as the body or as an event. */
  #readMessage(body: JsonObject, call: StreamCall): void {
    for (const chunk of answerChunks(body)) {
      this.#note(chunk, Array.isArray(chunk.choices) ? chunk.choices : []);
      call.forward(chunk);
    }
    this.#note({ ...body, choices: [] }, []);
  }

  /**
   * Reads a chunk that only differs in its text from one that was parsed. What `#note` notes is the
   * same, unless its text is the first.
   */
  #readRepeat(data: string, call: StreamCall, take: TakeString): boolean {
    const json = this.#pattern?.read(data) ?? null;
    if (json === null) return false;
    this.#repeats++;
    if (json !== "") this.#hasContent = true;
    call.repeat(take, json);
    return true;
  }

  #learn(data: string, chunk: JsonObject, call: StreamCall): void {
    const learned = learnPattern(data, chunk);
    if (learned === null) return;
    if (this.#take !== null)
      this.#vainPatternsLeft =
        this.#repeats < REPEATS_WORTH ? this.#vainPatternsLeft - 1 : VAIN_PATTERNS_MAX;
    this.#pattern = learned.pattern;
    this.#repeats = 0;
    this.#take = call.listener.openRepeats?.(learned.samples) ?? null;
    if (this.#take === null) this.#vainPatternsLeft = 0;
  }

  /** What comes after a call, or after the end, depends on what came before. */
  #parseAll(): void {
    this.#take = null;
    this.#vainPatternsLeft = 0;
  }

  #note(chunk: JsonObject, choices: readonly unknown[]): void {
    this.#upstreamRef ??= referenceOf(chunk);
    if (typeof chunk.service_tier === "string") this.#served = { service_tier: chunk.service_tier };
    for (const item of choices) {
      const choice = asObject(item);
      const delta = asObject(choice?.delta);
      if (choice?.finish_reason) this.#isFinished = true;
      if (!this.#hasContent && carriesContent(delta)) this.#hasContent = true;
      if (choice?.finish_reason || delta?.tool_calls) this.#parseAll();
    }
    const usage = usageOf(chunk);
    if (usage === null) return;
    this.#usage = usage;
    this.#isUsageFinal = this.#isFinished || choices.length === 0;
  }

  end(): ChatEnd {
    const { usage, fault } = readUsage(this.#usage, this.#served);
    return {
      usage,
      usageFault: fault,
      hasContent: this.#hasContent,
      upstreamRef: this.#upstreamRef,
    };
  }
}
