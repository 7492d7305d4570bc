/**
 * Which result belongs to which call of earlier turns. Upstreams refuse a conversation in which a call
 * has no result directly after it, a result has no call, or two calls have one id, and all further turns
 * with it: clients that were interrupted, or that keep the last messages alone, send such ones.
 */
import type { JsonObject } from "./text-dialect";

/** What a call gave that was never answered. */
export const NO_RESULT = "No result: the call was interrupted.";
/** Before a result whose call is not in the conversation. */
const LONE_RESULT = "The result of an earlier tool call:";

/** The content of such a result, as what the user says: a text, or a list that begins with one. */
export const saidByUser = <Part>(content: string | readonly Part[] | null | undefined) =>
  typeof content === "object" && content !== null
    ? [{ type: "text" as const, text: LONE_RESULT }, ...content]
    : `${LONE_RESULT}\n${content ?? ""}`;

const textOf = (id: unknown): string => (typeof id === "string" ? id : "");

interface Named {
  /** The turn that called. */
  readonly turn: number;
  readonly calls: object[];
  answered: number;
}

/** Takes the calls, the results and everything else of a conversation in their order. */
export class PairedCalls {
  /** True while every result follows its call at once, and no two calls have one id. */
  isUsual = true;
  readonly #results = new Map<object, JsonObject>();
  readonly #lone = new Set<object>();
  readonly #ids = new Map<object, string>();
  /** By the id that the client gave. A later turn that has it again takes it over. */
  readonly #named = new Map<string, Named>();
  readonly #taken = new Map<string, number>();
  #turn = 0;
  #waiting = 0;

  /** Something else than a result: a turn of the model, or what somebody says. */
  other(): void {
    if (this.#waiting > 0) this.isUsual = false;
    this.#waiting = 0;
    this.#turn++;
  }

  call(call: object, given: unknown): void {
    const id = textOf(given);
    this.#ids.set(call, this.#unique(id));
    const known = this.#named.get(id);
    if (known?.turn === this.#turn) known.calls.push(call);
    else this.#named.set(id, { turn: this.#turn, calls: [call], answered: 0 });
    this.#waiting++;
  }

  result(result: JsonObject, given: unknown): void {
    const named = this.#named.get(textOf(given));
    const call = named?.calls[named.answered];
    if (named === undefined || call === undefined) {
      this.isUsual = false;
      this.#lone.add(result);
      return;
    }
    named.answered++;
    this.#results.set(call, result);
    if (this.#waiting === 0) this.isUsual = false;
    else this.#waiting--;
  }

  /** The id itself, or another one where an earlier call has it. */
  #unique(id: string): string {
    let own = id;
    while (own === "" || this.#taken.has(own)) {
      this.isUsual = false;
      const count = (this.#taken.get(id) ?? 0) + 1;
      this.#taken.set(id, count);
      own = `${id || "call"}_${count}`;
    }
    this.#taken.set(own, 1);
    return own;
  }

  /** Undefined for a call that was never answered. */
  resultOf(call: object): JsonObject | undefined {
    return this.#results.get(call);
  }

  /** Whether a result has no call. */
  isLone(result: object): boolean {
    return this.#lone.has(result);
  }

  idOf(call: object): string {
    return this.#ids.get(call) ?? "";
  }
}
