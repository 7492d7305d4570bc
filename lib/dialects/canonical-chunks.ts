/**
 * The chunks of one answer as every client reads them, whatever an upstream sends: a role at the
 * beginning, texts that are texts, calls one after the other, and one finish reason, at the end.
 */
import { finishWith, isFinish } from "../contract/finish-reasons";
import { isRecord } from "../values/records";
import { type CanonicalContext, callsOf, contextOfAnswer } from "./canonical-answer";
import { choiceOf, hasSome, hasTexts, joinedTexts, lengthOf, mendTexts } from "./chat-parts";
import type { JsonObject } from "./text-dialect";
import type { ToolCalls } from "./tool-calls";

/** The characters of text that wait for the end of a call. */
const SAID_MAX = 1024 * 1024;
const nowSeconds = () => Math.floor(Date.now() / 1000);
const OBJECT = "chat.completion.chunk";

/** A delta of which nothing needs to be changed: nearly all are. */
const isOrdinary = ({ role, tool_calls, function_call, ...texts }: JsonObject) =>
  (role === undefined || role === "assistant") &&
  (tool_calls ?? function_call ?? null) === null &&
  hasTexts(texts);

interface LastWord {
  readonly chunk: JsonObject;
  readonly word: unknown;
  /** The choice as it came. */
  readonly text: string;
}

export class CanonicalChunks {
  readonly #calls: ToolCalls;
  readonly #isOlder: boolean;
  #hasRole = false;
  /** The last finish reason: it is told at the end. */
  #last: LastWord | null = null;
  /** What was said within a call: it is told after it. */
  #said: JsonObject | null = null;

  constructor(
    context: CanonicalContext,
    /** Which of several answers it is. */
    readonly index = 0,
  ) {
    this.#calls = callsOf(context);
    this.#isOlder = context.isOlder;
  }

  /** The chunk to be told for one of the upstream's, which may be changed; null for none. */
  take(chunk: JsonObject): JsonObject | null {
    const choice = choiceOf(chunk);
    if (choice === null) return null;
    chunk.object = OBJECT;
    if (typeof chunk.created !== "number") chunk.created = nowSeconds();
    let delta = isRecord(choice.delta) ? choice.delta : {};
    const isLast = isFinish(choice.finish_reason);
    if (isLast && !this.#note(chunk, choice, hasSome(delta))) return null;
    if (this.#said !== null || this.#calls.isOpen || !isOrdinary(delta)) {
      delta = this.#isOlder ? delta : this.#told(delta);
      if (Object.keys(delta).length === 0) return null;
    } else if (isLast && !hasSome(delta)) return null;
    choice.index = this.index;
    choice.finish_reason = null;
    choice.delta = this.#withRole(delta);
    chunk.choices = [choice];
    return chunk;
  }

  #withRole(delta: JsonObject): JsonObject {
    if (this.#hasRole) return delta;
    this.#hasRole = true;
    return { role: "assistant", ...delta };
  }

  /** False for one that repeats the last. What is said in it is told before the end. */
  #note(chunk: JsonObject, choice: JsonObject, saysSome: boolean): boolean {
    const text = JSON.stringify(choice);
    if (text === this.#last?.text) return false;
    const { logprobs = null } = saysSome ? {} : choice;
    const last = { ...choice, index: this.index, logprobs };
    this.#last = { chunk: { ...chunk, choices: [last] }, word: choice.finish_reason, text };
    return true;
  }

  /** What may be told now of a delta, and of what waited. */
  #told({ role: _, tool_calls: given, function_call: older, ...said }: JsonObject): JsonObject {
    mendTexts(said);
    const isWithin = this.#calls.isOpen && (this.#said === null || lengthOf(this.#said) < SAID_MAX);
    const single = isRecord(older) ? { function: older } : [];
    const pieces = this.#calls.take(given ?? single);
    const calls = pieces.length === 0 ? {} : { tool_calls: pieces };
    const all = this.#said === null ? said : joinedTexts(this.#said, said);
    this.#said = isWithin && hasSome(all) ? all : null;
    return isWithin ? calls : { ...all, ...calls };
  }

  /** The last chunks of a complete answer. */
  end(): JsonObject[] {
    const pieces = this.#calls.end();
    const word = this.#last?.word ?? null;
    const finish = finishWith(this.#calls, word);
    const { chunk = {} } = this.#last ?? {};
    const made = { created: nowSeconds(), object: OBJECT, ...chunk };
    const last = choiceOf(chunk) ?? { index: this.index, logprobs: null };
    const rest = [pieces.length === 0 ? null : { tool_calls: pieces }, this.#said];
    const reason = this.#isOlder && word === "function_call" ? word : finish;
    return [
      ...rest
        .filter((delta) => delta !== null)
        .map((delta) => ({ index: this.index, delta: this.#withRole(delta), finish_reason: null })),
      { ...last, delta: this.#withRole({}), finish_reason: reason },
    ].map((choice) => ({ ...made, choices: [choice] }));
  }
}

/** The chunks of several answers, which come in turn: each is read by itself. */
export class SeveralAnswers {
  readonly #answers: readonly CanonicalChunks[];

  constructor(context: CanonicalContext) {
    this.#answers = Array.from(
      { length: context.answers },
      (_, at) => new CanonicalChunks(contextOfAnswer(context, at), at),
    );
  }

  /** The chunks to be told for one of the upstream's. */
  takeAll(chunk: JsonObject): JsonObject[] {
    const choices: unknown[] = Array.isArray(chunk.choices) ? chunk.choices : [];
    return choices.filter(isRecord).flatMap((choice) => {
      const answer = this.#answers[typeof choice.index === "number" ? choice.index : 0];
      const told = answer?.take({ ...chunk, choices: [choice] }) ?? null;
      return told === null ? [] : [told];
    });
  }

  end(): JsonObject[] {
    return this.#answers.flatMap((answer) => answer.end());
  }
}
