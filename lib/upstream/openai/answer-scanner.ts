/**
 * Reads a completion that is too large to parse at once, piece by piece. It forwards the members of
 * the object as they come and keeps the few that the relay reads or rewrites. It follows the JSON
 * structure only; the contents of a value are not checked.
 */
const DEPTH_MAX = 64;
const NAME_CHARACTERS_MAX = 256;
const KEPT_CHARACTERS_MAX = 64 * 1024;
/** Members that are kept instead of forwarded. */
const keptNames: ReadonlySet<string> = new Set(["id", "model", "usage", "error", "x_groq"]);

type State = "start" | "first-name" | "name" | "colon" | "value" | "after" | "done" | "broken";

const isSpace = (code: number) => code === 32 || code === 10 || code === 13 || code === 9;
const QUOTE = 34;
const COMMA = 44;
const COLON = 58;
const OPEN_BRACKET = 91;
const BACKSLASH = 92;
const CLOSE_BRACKET = 93;
const OPEN_BRACE = 123;
const CLOSE_BRACE = 125;

export class AnswerScanner {
  /**
   * The raw texts of kept members, the last one for each name. Null when the text is longer than
   * such a member can be.
   */
  readonly kept = new Map<string, string | null>();
  hasChoices = false;
  #state: State = "start";
  #name = "";
  #isNameOpen = false;
  #isKept = false;
  #value: string | null = "";
  /** The open brackets of the value: true for a brace. */
  readonly #open: boolean[] = [];
  #inString = false;
  #isEscaped = false;
  #isBegun = false;

  /** `onText` gets each forwarded member, with a comma before it. */
  constructor(readonly onText: (text: string) => void) {}

  /** True once the object was closed and nothing but white space followed. */
  get isWhole(): boolean {
    return this.#state === "done";
  }

  /** False when the text cannot be one JSON object. */
  push(text: string): boolean {
    let at = 0;
    while (at < text.length && this.#state !== "broken") {
      if (this.#state === "value") at = this.#readValue(text, at);
      else if (this.#isNameOpen) at = this.#readName(text, at);
      else this.#between(text.charCodeAt(at++));
    }
    return this.#state !== "broken";
  }

  /** Handles one character outside of names and values. */
  #between(code: number): void {
    if (isSpace(code)) return;
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
    this.#isBegun = false;
    let name = this.#name;
    if (name.includes("\\")) {
      try {
        name = JSON.parse(`"${name}"`);
      } catch {
        this.#state = "broken";
        return;
      }
    }
    this.#isKept = keptNames.has(name);
    this.#value = "";
    if (!this.#isKept) this.onText(`,"${this.#name}":`);
    this.#name = name;
  }

  #give(text: string): void {
    if (text === "") return;
    if (!this.#isKept) this.onText(text);
    else if (this.#value !== null)
      this.#value =
        this.#value.length + text.length > KEPT_CHARACTERS_MAX ? null : this.#value + text;
  }

  /** Continues a value. Returns the index where it ended, or the text's length. */
  #readValue(text: string, from: number): number {
    let start = from;
    for (let at = from; at < text.length; at++) {
      const code = text.charCodeAt(at);
      if (this.#inString) {
        if (this.#isEscaped) this.#isEscaped = false;
        else if (code === BACKSLASH) this.#isEscaped = true;
        else if (code === QUOTE) {
          this.#inString = false;
          if (this.#open.length === 0) return this.#endValue(text, start, at + 1);
        }
        continue;
      }
      if (!this.#isBegun) {
        if (isSpace(code)) {
          start = at + 1;
          continue;
        }
        this.#isBegun = true;
        if (this.#name === "choices") this.hasChoices = code === OPEN_BRACKET;
        if (code === COMMA || code === CLOSE_BRACE || code === CLOSE_BRACKET || code === COLON)
          return this.#break(at);
      }
      const isEnd =
        this.#open.length === 0 && (code === COMMA || code === CLOSE_BRACE || isSpace(code));
      if (isEnd) return this.#endValue(text, start, at);
      if (code === QUOTE) this.#inString = true;
      else if (code === OPEN_BRACE || code === OPEN_BRACKET) {
        if (this.#open.push(code === OPEN_BRACE) > DEPTH_MAX) return this.#break(at);
      } else if (code === CLOSE_BRACE || code === CLOSE_BRACKET) {
        if (this.#open.pop() !== (code === CLOSE_BRACE)) return this.#break(at);
        if (this.#open.length === 0) return this.#endValue(text, start, at + 1);
      }
    }
    this.#give(text.slice(start));
    return text.length;
  }

  #break(at: number): number {
    this.#state = "broken";
    return at;
  }

  #endValue(text: string, start: number, end: number): number {
    this.#give(text.slice(start, end));
    if (this.#isKept) this.kept.set(this.#name, this.#value);
    this.#value = "";
    this.#state = "after";
    return end;
  }
}
