/** The events of a streamed answer, made of chat chunks. */
import type { RelayError } from "../../failures/relay-error";
import { GrowingDetails } from "../carried";
import { answerParts, choiceOf, type ToolCallPart } from "../chat-parts";
import type { DialectEvent, DialectStream, JsonObject, StreamEnd } from "../text-dialect";
import { failedError } from "./failure";
import { OpenCalls } from "./open-calls";
import { type OpenItem, OpenMessage, OpenReasoning } from "./open-items";
import { logprobsOf } from "./output-items";
import {
  type Progress,
  progressOf,
  type ResponsesContext,
  responseObject,
  usageOf,
} from "./response-object";
import { wantsLogprobs } from "./to-chat";
import { offeredTools } from "./tools";

/**
 * The most characters of an answer that are kept for the last events. A longer one ends there, as
 * incomplete.
 */
export const ANSWER_CHARACTERS_MAX = 4 * 1024 * 1024;
/** The most items of an output. */
export const OUTPUT_ITEMS_MAX = 1024;
const sizeOf = (logprobs: readonly unknown[]): number =>
  logprobs.length === 0 ? 0 : JSON.stringify(logprobs).length;

export class ResponseEvents implements DialectStream {
  #sequence = 0;
  #events: DialectEvent[] = [];
  #hasBegun = false;
  #charactersLeft = ANSWER_CHARACTERS_MAX;
  /** True once something of the answer was left out. */
  #isCut = false;
  #itemCount = 0;
  /** The closed items, each at its index. */
  readonly #output: JsonObject[] = [];
  #text: OpenMessage | OpenReasoning | null = null;
  readonly #calls: OpenCalls;
  readonly #wantsLogprobs: boolean;
  readonly #details = new GrowingDetails();

  constructor(readonly context: ResponsesContext) {
    const { request, operationHex } = context;
    this.#wantsLogprobs = wantsLogprobs(request);
    this.#calls = new OpenCalls(this.#emit, operationHex, offeredTools(request), () =>
      this.#takeIndex(),
    );
  }

  readonly #emit = (type: string, members: JsonObject): void => {
    this.#events.push({ type, sequence_number: this.#sequence++, ...members });
  };

  #sent(): readonly DialectEvent[] {
    const events = this.#events;
    this.#events = [];
    return events;
  }

  #tell(type: string, progress: Progress, usage: JsonObject | null): void {
    // Items that are still open are absent.
    const output = Object.values(this.#output);
    this.#emit(type, { response: responseObject(this.context, progress, output, usage) });
  }

  #begin(): void {
    if (this.#hasBegun) return;
    this.#hasBegun = true;
    for (const type of ["response.created", "response.in_progress"])
      this.#tell(type, { status: "in_progress" }, null);
  }

  /** The index of a new item; null when there are too many. */
  #takeIndex(): number | null {
    if (this.#itemCount < OUTPUT_ITEMS_MAX) return this.#itemCount++;
    this.#isCut = true;
    return null;
  }

  /** Takes `characters` from what may still be kept. False when it is used up. */
  #affords(characters: number): boolean {
    if (this.#isCut) return false;
    this.#charactersLeft -= characters;
    this.#isCut = this.#charactersLeft < 0;
    return !this.#isCut;
  }

  #closeItem(item: OpenItem, isWhole: boolean): void {
    this.#output[item.index] = item.close(isWhole ? "completed" : "incomplete");
  }

  #closeText(isWhole: boolean): void {
    if (this.#text !== null) this.#closeItem(this.#text, isWhole);
    this.#text = null;
  }

  #message(): OpenMessage | null {
    if (this.#text?.kind === "message") return this.#text;
    this.#closeText(true);
    const index = this.#takeIndex();
    if (index === null) return null;
    const message = new OpenMessage(this.#emit, this.context.operationHex, index);
    this.#text = message;
    return message;
  }

  #reason(delta: string): void {
    if (this.#text?.kind !== "reasoning") {
      this.#closeText(true);
      const index = this.#takeIndex();
      if (index === null) return;
      this.#text = new OpenReasoning(this.#emit, this.context.operationHex, index);
    }
    this.#text.reason(delta);
  }

  #take(choice: JsonObject): void {
    const { reasoning, text, refusal, toolCalls, details } = answerParts(choice.delta);
    this.#details.take(details);
    if (reasoning !== "" && this.#affords(reasoning.length)) this.#reason(reasoning);
    const logprobs = this.#wantsLogprobs ? logprobsOf(choice) : [];
    if (text !== "" && this.#affords(text.length + sizeOf(logprobs)))
      this.#message()?.say(text, logprobs);
    if (refusal !== "" && this.#affords(refusal.length)) this.#message()?.refuse(refusal);
    for (const call of toolCalls) this.#takeCall(call);
  }

  #takeCall(call: ToolCallPart): void {
    const { id, name, argumentsText, signature } = call;
    const words = [id, name, argumentsText, signature];
    const size = words.reduce((sum, word) => sum + (word?.length ?? 0), 0);
    if (!this.#affords(size)) return;
    this.#closeText(true);
    this.#calls.take(call, this.#details);
  }

  chunk(canonicalChunk: JsonObject): readonly DialectEvent[] {
    this.#begin();
    const choice = choiceOf(canonicalChunk);
    if (choice !== null) this.#take(choice);
    return this.#sent();
  }

  end({ usage, finishReason }: StreamEnd): readonly DialectEvent[] {
    this.#begin();
    const progress: Progress = this.#isCut
      ? { status: "incomplete", reason: "max_output_tokens" }
      : progressOf(finishReason);
    const calls = this.#calls.all();
    // An answer without anything is an empty text.
    if (this.#itemCount === 0 && calls.length === 0) this.#message()?.say("", []);
    const isWhole = progress.status === "completed";
    this.#closeText(isWhole || calls.length > 0);
    for (const [at, call] of calls.entries())
      this.#closeItem(call, isWhole || at < calls.length - 1);
    this.#tell(`response.${progress.status}`, progress, usageOf(usage));
    return this.#sent();
  }

  fail(error: RelayError): readonly DialectEvent[] {
    this.#begin();
    this.#tell("response.failed", { status: "failed", error: failedError(error) }, null);
    return this.#sent();
  }
}
