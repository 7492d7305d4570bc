/**
 * Reads a completion that is too large to parse at once, piece by piece. It forwards the members of
 * the object, and of its first choice, as they come, and keeps the few that the relay reads or rewrites.
 */
import type { KeptChoice } from "../provider";
import { type Kept, ObjectScanner, type ValueReader } from "./object-scanner";
import { isSpace, OPEN_BRACE, OPEN_BRACKET, ValueScanner } from "./value-scanner";

/** Reading and writing a message takes 10 to 15 ms a MiB. No model writes a longer one. */
const MESSAGE_CHARACTERS_MAX = 16 * 1024 * 1024;

type Take = (text: string) => void;

const ofAnswer: Kept = {
  names: new Set(["id", "model", "object", "usage", "service_tier", "error", "x_groq"]),
  charactersMax: 64 * 1024,
  forwardsLonger: false,
};
const ofChoice: Kept = {
  names: new Set(["index", "message", "finish_reason"]),
  charactersMax: MESSAGE_CHARACTERS_MAX,
  forwardsLonger: true,
};

/** Reads a list of choices: the first in parts, and those after it as they come. */
class ChoicesScanner implements ValueReader {
  isList = false;
  #first: ObjectScanner | null = null;
  #rest: ValueScanner | null = null;

  constructor(
    readonly onText: Take,
    readonly onChoice: (choice: KeptChoice) => void,
    readonly onOthers: Take,
  ) {}

  get isOver(): boolean {
    return this.#rest?.isOver === true;
  }

  get isBroken(): boolean {
    return this.#first?.isBroken === true || this.#rest?.isBroken === true;
  }

  push(text: string, from: number): number {
    let at = from;
    while (at < text.length && !this.isOver && !this.isBroken) {
      if (this.#rest !== null) at = this.#rest.push(text, at);
      else if (this.#first !== null) at = this.#readFirst(this.#first, text, at);
      else at = this.#begin(text, at);
    }
    return at;
  }

  #begin(text: string, at: number): number {
    const code = text.charCodeAt(at);
    if (isSpace(code)) return at + 1;
    if (!this.isList && code === OPEN_BRACKET) {
      this.isList = true;
      return at + 1;
    }
    if (this.isList && code === OPEN_BRACE) {
      this.onText(',"choices":[{"index":0');
      this.#first = new ObjectScanner(this.onText, ofChoice);
      return at;
    }
    // No choice: as it came.
    this.onText(this.isList ? ',"choices":[' : ',"choices":');
    this.#rest = new ValueScanner(this.onText, this.isList ? [false] : []);
    return at;
  }

  #readFirst(first: ObjectScanner, text: string, from: number): number {
    const at = first.run(text, from);
    if (!first.isWhole) return at;
    const { kept } = first;
    this.onChoice({ message: kept.get("message"), finishReason: kept.get("finish_reason") });
    this.#rest = new ValueScanner((rest) => this.#passOthers(rest), [false]);
    return at;
  }

  /** The end of the list is no part of its choices. */
  #passOthers(text: string): void {
    const end = this.isOver ? text.lastIndexOf("]") : -1;
    const others = end === -1 ? text : text.slice(0, end);
    if (others !== "") this.onOthers(others);
    if (end !== -1) this.onText("]");
  }
}

export class AnswerScanner {
  readonly #choices: ChoicesScanner;
  readonly #object: ObjectScanner;

  /**
   * `onText` gets each forwarded member, with a comma before it; `onChoice` is called where it ends, and
   * `onOthers` gets the text of the choices after it.
   */
  constructor(onText: Take, onChoice: (choice: KeptChoice) => void, onOthers: Take = () => {}) {
    this.#choices = new ChoicesScanner(onText, onChoice, onOthers);
    this.#object = new ObjectScanner(onText, ofAnswer, (name) =>
      name === "choices" ? this.#choices : null,
    );
  }

  get kept(): ReadonlyMap<string, string | null> {
    return this.#object.kept;
  }

  get hasChoices(): boolean {
    return this.#choices.isList;
  }

  /** True once the object was closed and nothing but white space followed. */
  get isWhole(): boolean {
    return this.#object.isWhole;
  }

  /** False when the text cannot be one JSON object. */
  push(text: string): boolean {
    const at = this.#object.run(text, 0);
    return !this.#object.isBroken && (at === text.length || !/[^ \t\n\r]/.test(text.slice(at)));
  }
}

/** The rest of a choice as it came. */
export const restOfChoice = ({ message, finishReason }: KeptChoice): string =>
  [
    typeof message === "string" ? `,"message":${message}` : "",
    typeof finishReason === "string" ? `,"finish_reason":${finishReason}` : "",
    "}",
  ].join("");
