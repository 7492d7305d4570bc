/** Follows one JSON value piece by piece, by its structure only: what is in it is not checked. */
const DEPTH_MAX = 64;

export const isSpace = (code: number) => code === 32 || code === 10 || code === 13 || code === 9;
export const QUOTE = 34;
export const COMMA = 44;
export const COLON = 58;
export const OPEN_BRACKET = 91;
export const BACKSLASH = 92;
const CLOSE_BRACKET = 93;
export const OPEN_BRACE = 123;
export const CLOSE_BRACE = 125;

const endings: readonly number[] = [COMMA, COLON, CLOSE_BRACE, CLOSE_BRACKET];

export class ValueScanner {
  isOver = false;
  isBroken = false;
  #inString = false;
  #isEscaped = false;
  #isBegun: boolean;

  /**
   * `open`: the brackets of the value that were read before, true for a brace. `onText` gets the text of
   * the value, without the white space before it.
   */
  constructor(
    readonly onText: (text: string) => void,
    readonly open: boolean[] = [],
  ) {
    this.#isBegun = open.length > 0;
  }

  /** Returns the index where the value ended, or the text's length. */
  push(text: string, from: number): number {
    let start = from;
    for (let at = from; at < text.length; at++) {
      const code = text.charCodeAt(at);
      if (this.#inString) {
        if (this.#isEscaped) this.#isEscaped = false;
        else if (code === BACKSLASH) this.#isEscaped = true;
        else if (code === QUOTE) {
          this.#inString = false;
          if (this.open.length === 0) return this.#end(text, start, at + 1);
        }
        continue;
      }
      if (!this.#isBegun) {
        if (isSpace(code)) {
          start = at + 1;
          continue;
        }
        this.#isBegun = true;
        if (endings.includes(code)) return this.#break(at);
      }
      const isEnd =
        this.open.length === 0 && (code === COMMA || code === CLOSE_BRACE || isSpace(code));
      if (isEnd) return this.#end(text, start, at);
      if (code === QUOTE) this.#inString = true;
      else if (code === OPEN_BRACE || code === OPEN_BRACKET) {
        if (this.open.push(code === OPEN_BRACE) > DEPTH_MAX) return this.#break(at);
      } else if (code === CLOSE_BRACE || code === CLOSE_BRACKET) {
        if (this.open.pop() !== (code === CLOSE_BRACE)) return this.#break(at);
        if (this.open.length === 0) return this.#end(text, start, at + 1);
      }
    }
    if (start < text.length) this.onText(text.slice(start));
    return text.length;
  }

  #break(at: number): number {
    this.isBroken = true;
    return at;
  }

  #end(text: string, start: number, end: number): number {
    this.isOver = true;
    if (start < end) this.onText(text.slice(start, end));
    return end;
  }
}
