/** Reads the text of an object piece by piece: some members are forwarded as they come, others kept. */
import {
  BACKSLASH,
  CLOSE_BRACE,
  COLON,
  COMMA,
  OPEN_BRACE,
  QUOTE,
  ValueScanner,
} from "./value-scanner";

const NAME_CHARACTERS_MAX = 256;

const noSpace = /[^ \t\n\r]/g;

type Take = (text: string) => void;
type State = "start" | "first-name" | "name" | "colon" | "value" | "after" | "done" | "broken";

/** Members of an object that are kept instead of forwarded. */
export interface Kept {
  readonly names: ReadonlySet<string>;
  readonly charactersMax: number;
  /** Whether a longer one is forwarded as it is; otherwise it is recorded as too long. */
  readonly forwardsLonger: boolean;
}

/** Reads one value. */
export type ValueReader = Pick<ValueScanner, "push" | "isOver" | "isBroken">;

export class ObjectScanner {
  /**
   * The raw texts of kept members, the last one for each name. Null when the text is longer than
   * such a member can be.
   */
  readonly kept = new Map<string, string | null>();
  #state: State = "start";
  /** As it is written, until it is known whole. */
  #name = "";
  #isNameOpen = false;
  #isEscaped = false;
  #isKept = false;
  #text: string | null = "";
  #value: ValueReader | null = null;

  /** `onText` gets each forwarded member, with a comma before it. */
  constructor(
    readonly onText: Take,
    readonly rule: Kept,
    /** Reads and forwards the value of a member in a way of its own; null for any other member. */
    readonly openValue: (name: string) => ValueReader | null = () => null,
  ) {}

  get isWhole(): boolean {
    return this.#state === "done";
  }

  get isBroken(): boolean {
    return this.#state === "broken";
  }

  /** Returns the index where the object ended, or the text's length. */
  run(text: string, from: number): number {
    let at = from;
    while (at < text.length && !this.isBroken && !this.isWhole) {
      if (this.#value !== null) {
        at = this.#value.push(text, at);
        if (this.#value.isBroken) this.#state = "broken";
        else if (this.#value.isOver) this.#endValue();
      } else if (this.#isNameOpen) at = this.#readName(text, at);
      else at = this.#between(text, at);
    }
    return Math.min(at, text.length);
  }

  /** Handles white space outside of names and values, and the character after it. */
  #between(text: string, from: number): number {
    noSpace.lastIndex = from;
    const at = noSpace.exec(text)?.index ?? text.length;
    if (at < text.length) this.#take(text.charCodeAt(at));
    return at + 1;
  }

  #take(code: number): void {
    const state = this.#state;
    if (state === "start" && code === 0xfeff) return;
    if (state === "start" && code === OPEN_BRACE) this.#state = "first-name";
    else if ((state === "first-name" || state === "name") && code === QUOTE) {
      this.#name = "";
      this.#isNameOpen = true;
    } else if (state === "colon" && code === COLON) this.#beginValue();
    else if (state === "after" && code === COMMA) this.#state = "name";
    else if ((state === "after" || state === "first-name") && code === CLOSE_BRACE)
      this.#state = "done";
    else this.#state = "broken";
  }

  #readName(text: string, from: number): number {
    for (let at = from; at < text.length; at++) {
      const code = text.charCodeAt(at);
      if (this.#isEscaped) this.#isEscaped = false;
      else if (code === BACKSLASH) this.#isEscaped = true;
      else if (code === QUOTE) {
        this.#name += text.slice(from, at);
        this.#isNameOpen = false;
        this.#state = this.#name.length > NAME_CHARACTERS_MAX ? "broken" : "colon";
        return at + 1;
      }
    }
    this.#name += text.slice(from);
    if (this.#name.length > NAME_CHARACTERS_MAX) this.#state = "broken";
    return text.length;
  }

  #beginValue(): void {
    this.#state = "value";
    const written = this.#name;
    if (written.includes("\\")) {
      try {
        this.#name = JSON.parse(`"${written}"`);
      } catch {
        this.#state = "broken";
        return;
      }
    }
    this.#isKept = this.rule.names.has(this.#name);
    this.#text = "";
    this.#value = this.openValue(this.#name);
    if (this.#value !== null) return;
    this.#value = new ValueScanner((text) => this.#give(text));
    if (!this.#isKept) this.onText(`,"${written}":`);
  }

  #give(text: string): void {
    const { charactersMax, forwardsLonger } = this.rule;
    if (!this.#isKept) this.onText(text);
    else if (this.#text !== null && this.#text.length + text.length <= charactersMax)
      this.#text += text;
    else if (forwardsLonger) {
      this.#isKept = false;
      this.onText(`,"${this.#name}":${this.#text}${text}`);
    } else this.#text = null;
  }

  #endValue(): void {
    if (this.#isKept) this.kept.set(this.#name, this.#text);
    this.#value = null;
    this.#text = "";
    this.#state = "after";
  }
}
