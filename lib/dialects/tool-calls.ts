/**
 * Puts the tool calls of an answer together, whatever pieces an upstream sends, and tells them again
 * as every client reads them: one call after the other, each begun with its index, id and name, and
 * then its arguments as pieces of one JSON object.
 */
import { isRecord } from "../values/records";
import { GrowingText } from "./growing-text";
import { ObjectText } from "./object-text";
import type { JsonObject } from "./text-dialect";

/** The calls of one answer. Pieces of further ones are left out. */
const CALLS_MAX = 1024;
/** The characters of arguments that wait for their call's turn, or its name. */
const WAITING_CHARACTERS_MAX = 1024 * 1024;

interface Piece {
  readonly at: number | null;
  readonly id: string | null;
  readonly name: string | null;
  readonly text: string;
  /** Members that have no meaning here, such as an upstream's signatures. */
  readonly others: JsonObject;
}

interface Call {
  /** The upstream's index of it. */
  readonly at: number | null;
  id: string | null;
  name: string | null;
  readonly text: ObjectText;
  readonly growing: GrowingText;
  /** Its place among the calls once it is told; null before. */
  index: number | null;
  /** What is to be told with its beginning. */
  waiting: string;
  readonly others: JsonObject;
}

function wordOf(value: unknown): string | null {
  if (typeof value === "number") return String(value);
  return typeof value === "string" && value !== "" ? value : null;
}

function indexOf(value: unknown): number | null {
  const index = typeof value === "string" && value !== "" ? Number(value) : value;
  return typeof index === "number" && Number.isFinite(index) ? index : null;
}

/** Arguments as text: some upstreams send an object, and null for nothing. */
export function argumentsOf(value: unknown): string {
  if (typeof value === "string") return value;
  return value === undefined || value === null ? "" : JSON.stringify(value);
}

/** What is called: some upstreams write it without `function` around it. */
export const calledOf = ({ name, arguments: given }: JsonObject, called: unknown): JsonObject =>
  isRecord(called) ? called : { name, arguments: given };

function pieceOf(value: unknown): Piece | null {
  if (!isRecord(value)) return null;
  const { index, id, type: _, function: called, name: _name, arguments: _given, ...others } = value;
  const { name, arguments: given, ...further } = calledOf(value, called);
  if (Object.keys(further).length > 0) others.function = further;
  return {
    at: indexOf(index),
    id: wordOf(id),
    name: typeof name === "string" && name !== "" ? name : null,
    text: argumentsOf(given),
    others,
  };
}

/** One call after the other; `offered` has the client's name of each tool by the upstream's. */
export class ToolCalls {
  readonly #calls: Call[] = [];
  /** The last call of each id, and at each of the upstream's indices. */
  readonly #byId = new Map<string, Call>();
  readonly #byIndex = new Map<number, Call>();
  #last: Call | null = null;
  /** The place of the call whose turn it is. */
  #turn = 0;
  #waiting = 0;
  #isBroken = false;

  constructor(
    /** Makes an id where the upstream sent none of its own. */
    readonly makeId: (index: number) => string,
    readonly offered: ReadonlyMap<string, string>,
  ) {}

  /** How many are told. */
  get count(): number {
    return this.#turn;
  }

  /** A call of the answer could not be told, or its arguments are not complete. */
  get isBroken(): boolean {
    return this.#isBroken;
  }

  /** A call has begun, and more of it may come. */
  get isOpen(): boolean {
    return (this.#calls[this.#turn]?.index ?? null) !== null;
  }

  /** Takes the calls of a message or of a delta. Returns the pieces that may be told now. */
  take(given: unknown): JsonObject[] {
    const told: JsonObject[] = [];
    const pieces: unknown[] = Array.isArray(given) ? given : [given];
    const named = new Set<Call>();
    for (const value of pieces) {
      const piece = pieceOf(value);
      const call = piece === null ? null : this.#callIn(named, piece);
      if (piece === null || call === null) continue;
      if (piece.name !== null) named.add(call);
      this.#add(call, piece, told);
    }
    return told;
  }

  /** What one list names twice is two calls. */
  #callIn(named: ReadonlySet<Call>, piece: Piece): Call | null {
    const call = this.#callOf(piece);
    const isAnother = call !== null && piece.name !== null && named.has(call);
    return isAnother ? this.#open({ ...piece, id: null }) : call;
  }

  /** The last pieces, when the answer is complete. */
  end(): JsonObject[] {
    const told: JsonObject[] = [];
    for (const call of this.#calls.splice(this.#turn)) {
      if (call.name === null) {
        this.#isBroken = true;
        continue;
      }
      const index = call.index ?? this.#begin(call, told);
      const text = call.text.end();
      if (text !== "") told.push(withArguments({ index }, text));
      this.#pass(call);
    }
    return told;
  }

  #add(call: Call, { name, text, others }: Piece, told: JsonObject[]): void {
    this.#last = call;
    const sent = call.text.push(call.growing.take(text));
    if (call.index !== null) {
      if (sent !== "" || Object.keys(others).length > 0)
        told.push(withArguments({ index: call.index, ...others }, sent));
    } else {
      if (name !== null) call.name = this.#joined(call.name, name) ?? name;
      Object.assign(call.others, others);
      this.#waiting += sent.length;
      const isTurn = call.name !== null && call === this.#calls[this.#turn];
      if (this.#waiting > WAITING_CHARACTERS_MAX && !isTurn) this.#isBroken = true;
      else call.waiting += sent;
    }
    this.#advance(told);
  }

  /** Tells what can be told: a call waits for its name, and for the end of the one before it. */
  #advance(told: JsonObject[]): void {
    for (let call = this.#calls[this.#turn]; call !== undefined; call = this.#calls[this.#turn]) {
      if (call.index === null) {
        if (call.name === null || (this.#isPart(call.name) && call.waiting === "")) return;
        this.#begin(call, told);
      }
      if (!call.text.isOver || (call.text.isEmpty && call === this.#calls.at(-1))) return;
      const text = call.text.end();
      if (text !== "") told.push(withArguments({ index: this.#turn }, text));
      this.#pass(call);
    }
  }

  #begin(call: Call, told: JsonObject[]): number {
    const index = this.#turn;
    const { id, name, waiting, others } = call;
    const head = { index, id: id ?? this.makeId(index), type: "function", ...others };
    told.push(withArguments(head, waiting, name && this.#ownName(name)));
    this.#waiting -= waiting.length;
    call.waiting = "";
    call.index = index;
    return index;
  }

  /** Some models leave marks of their own form of calls around a name. */
  #ownName(name: string): string {
    const bare = name
      .replace(/<\|.*$/s, "")
      .trim()
      .replace(/^(?:functions?|default_api|tools?)[.:]/, "")
      .replace(/:\d{1,4}$/, "");
    return this.offered.get(name) ?? this.offered.get(bare) ?? name;
  }

  #pass(call: Call): void {
    this.#isBroken ||= call.text.isBroken;
    this.#turn++;
  }

  /** Some upstreams send a name in pieces. Null for a piece that does not continue it. */
  #joined(known: string | null, name: string): string | null {
    if (known === null || known === name) return name;
    const joined = known + name;
    return this.offered.has(joined) || this.#isPart(joined) ? joined : null;
  }

  #isPart(name: string): boolean {
    if (this.offered.has(name)) return false;
    for (const one of this.offered.keys()) if (one.startsWith(name)) return true;
    return false;
  }

  #callOf(piece: Piece): Call | null {
    const { at, id } = piece;
    const known = id === null ? undefined : this.#byId.get(id);
    if (known !== undefined)
      return this.#isOneIdForTwo(known, piece) ? this.#open({ ...piece, id: null }) : known;
    const call = at === null ? this.#last : (this.#byIndex.get(at) ?? this.#unfinished(piece));
    if (call === null || !this.#isContinued(call, piece)) return this.#open(piece);
    if (id !== null) this.#name(call, id);
    return call;
  }

  /** Some upstreams count the pieces of one call: those that follow have nothing but another index. */
  #unfinished({ id, name }: Piece): Call | null {
    const isNameless = id === null && name === null;
    return isNameless && this.#last?.text.isOver === false ? this.#last : null;
  }

  /** Another name, or an object at another index when that of the call is complete. */
  #isOneIdForTwo(call: Call, { at, name }: Piece): boolean {
    if (name === null) return false;
    if (this.#joined(call.name, name) === null) return true;
    return at !== null && at !== call.at && call.text.isOver;
  }

  /**
   * Whether a piece whose id is not known belongs to the call at its index: not with another id and a
   * name, nor with another name, nor with a name when the call is complete. Some upstreams make an
   * id for each piece.
   */
  #isContinued(call: Call, { id, name, text }: Piece): boolean {
    if (name === null) return id === null || text === "" || !call.text.isOver;
    if (id !== null && call.id !== null) return false;
    if (call.name === null) return true;
    return !call.text.isOver && this.#joined(call.name, name) !== null;
  }

  #name(call: Call, id: string): void {
    if (call.index === null) call.id ??= id;
    this.#byId.set(id, call);
  }

  #open({ at, id }: Piece): Call | null {
    if (this.#calls.length >= CALLS_MAX) {
      this.#isBroken = true;
      return null;
    }
    const begun = { at, id: null, name: null, index: null, waiting: "", others: {} };
    const call: Call = { ...begun, text: new ObjectText(), growing: new GrowingText() };
    this.#calls.push(call);
    if (at !== null) this.#byIndex.set(at, call);
    if (id !== null) this.#name(call, id);
    return call;
  }
}

/** A piece of a call as it is told. */
function withArguments(head: JsonObject, text: string, name: string | null = null): JsonObject {
  const others = isRecord(head.function) ? head.function : {};
  const named = name === null ? {} : { name };
  return { ...head, function: { ...others, ...named, arguments: text } };
}

/** The whole calls, of all the pieces in which they are told. */
export function joinedCalls(pieces: readonly JsonObject[]): JsonObject[] {
  const whole: JsonObject[] = [];
  for (const { index, function: called, ...others } of pieces) {
    const known = whole[Number(index)];
    const { arguments: text, ...named } = isRecord(called) ? called : {};
    if (known === undefined)
      whole[Number(index)] = { ...others, function: { ...named, arguments: text } };
    else if (isRecord(known.function))
      known.function.arguments = `${known.function.arguments}${text}`;
  }
  return whole;
}
