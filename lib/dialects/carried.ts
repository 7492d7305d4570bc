/**
 * What an upstream wants back beside its calls, to know again what its model thought: Gemini's signature
 * of a call, or OpenRouter's details of all thinking. Chat has members for it. In other APIs it signs the
 * thinking before a call, under a mark of ours.
 */

import { jsonIn } from "../values/json-in";
import { isRecord } from "../values/records";
import type { JsonObject } from "./text-dialect";

const carried = /^relay\.([a-z]{1,20})\.(.+)$/s;
/** A longer one is left out. */
const CHARACTERS_MAX = 64 * 1024;
/** The kind of one that is no signature of a provider's. */
const DETAILS = "details";

const carry = (kind: string, text: string): string | null =>
  text !== "" && text.length <= CHARACTERS_MAX ? `relay.${kind}.${text}` : null;

export const isCarried = (signature: unknown): signature is string =>
  typeof signature === "string" && carried.test(signature);

/** Of a call, under the name of its provider; null when it has none. */
export function ofCall({ extra_content: extra }: JsonObject): string | null {
  if (!isRecord(extra)) return null;
  for (const [provider, signed] of Object.entries(extra)) {
    const signature = isRecord(signed) ? signed.thought_signature : null;
    if (typeof signature === "string" && /^[a-z]{1,20}$/.test(provider) && provider !== DETAILS)
      return carry(provider, signature);
  }
  return null;
}

/** The details of the thinking of a message; null for none. */
export const ofDetails = (details: readonly unknown[]): string | null =>
  details.length === 0 ? null : carry(DETAILS, JSON.stringify(details));

/** The members that it is in chat: of the call that follows, and of the message. */
interface Members {
  readonly call: JsonObject;
  readonly message: JsonObject;
}

const nothing: Members = { call: {}, message: {} };

/**
 * The signatures before a call. `details`: that of the details of all thinking, which is before the
 * first call and asked for there alone; `own`: the call's.
 */
export const signaturesBefore = (
  isFirst: boolean,
  details: () => string | null,
  own: string | null,
): string[] => [isFirst ? details() : null, own].filter((one) => one !== null);

function membersOf(signature: string): Members {
  const [, kind = "", text = ""] = carried.exec(signature) ?? [];
  if (kind !== DETAILS)
    return { ...nothing, call: { extra_content: { [kind]: { thought_signature: text } } } };
  const details = jsonIn(text);
  return Array.isArray(details) ? { ...nothing, message: { reasoning_details: details } } : nothing;
}

/** The members of the signatures that come back with a message. */
export class ReturnedMembers {
  #call: JsonObject = {};
  #message: JsonObject = {};

  add(signature: string): void {
    const { call, message } = membersOf(signature);
    this.#call = { ...this.#call, ...call };
    this.#message = { ...this.#message, ...message };
  }

  /** Of the next call, and of that one alone. */
  takeCall(): JsonObject {
    const call = this.#call;
    this.#call = {};
    return call;
  }

  get message(): JsonObject {
    return this.#message;
  }
}

const growing = ["text", "summary", "data"] as const;

/** The details that come in the pieces of a stream, put together. */
export class GrowingDetails {
  readonly #all: JsonObject[] = [];
  #length = 0;

  take(pieces: readonly unknown[]): void {
    for (const piece of pieces) {
      if (!isRecord(piece)) continue;
      this.#length += JSON.stringify(piece).length;
      if (this.#length <= CHARACTERS_MAX) this.#add(piece);
    }
  }

  #add(piece: JsonObject): void {
    const last = this.#all.at(-1);
    const isNext = last !== undefined && last.type === piece.type && last.index === piece.index;
    if (!isNext || (last.id ?? piece.id) !== (piece.id ?? last.id)) {
      this.#all.push({ ...piece });
      return;
    }
    for (const [name, value] of Object.entries(piece)) {
      const known = last[name];
      const isText = typeof known === "string" && typeof value === "string";
      const grows = isText && growing.some((one) => one === name);
      if (grows) last[name] = `${known}${value}`;
      else if (value !== null) last[name] = value;
    }
  }

  /** Null for none, and for too many. */
  get signature(): string | null {
    return this.#length > CHARACTERS_MAX ? null : ofDetails(this.#all);
  }
}
