/**
 * Takes long strings out of a JSON answer while it arrives, and decodes them as base64 piece by
 * piece. An image of 64 MiB would otherwise be joined, parsed and decoded in one turn of the event
 * loop. The rest of the answer is short.
 */
import { randomUUID } from "node:crypto";
import { StringDecoder } from "node:string_decoder";

const LONG_BYTES_MIN = 64 * 1024;
const TEXT_CHARACTERS_MAX = 1024 * 1024;
const PIECE_CHARACTERS = 64 * 1024;
const QUOTE = 34;
const BACKSLASH = 92;

/**
 * What a JSON string with base64 may contain besides base64 characters: some upstreams escape
 * slashes, others break lines.
 */
const escapedCode = /\\u([0-9a-fA-F]{4})/g;
const escapedOther = /\\[^u]/g;
const openEscape = /\\(?:u[0-9a-fA-F]{0,3})?$/;
const notBase64 = /[^A-Za-z0-9+/_=-]+/g;

function withoutEscapes(text: string): string {
  const slashed = text.replaceAll("\\/", "/");
  if (!slashed.includes("\\")) return slashed;
  return slashed
    .replace(escapedCode, (_, code: string) => String.fromCharCode(Number.parseInt(code, 16)))
    .replace(escapedOther, "");
}

function slashesBefore(chunk: Buffer, end: number, from: number): number {
  let count = 0;
  while (count < end - from && chunk[end - 1 - count] === BACKSLASH) count++;
  return count;
}

/**
 * Index of the quote that ends the string, or the chunk's length. `slashes`: the number of
 * backslashes just before `from`.
 */
function endOfString(chunk: Buffer, from: number, slashes = 0): number {
  for (
    let quote = chunk.indexOf(QUOTE, from);
    quote !== -1;
    quote = chunk.indexOf(QUOTE, quote + 1)
  ) {
    const before = slashesBefore(chunk, quote, from);
    if ((before === quote - from ? before + slashes : before) % 2 === 0) return quote;
  }
  return chunk.length;
}

class Base64Pieces {
  readonly pieces: Uint8Array[] = [];
  #waiting = "";
  #isFirst = true;
  #isEnded = false;

  push(part: Buffer): void {
    this.#waiting += part.toString("latin1");
    if (this.#waiting.length >= PIECE_CHARACTERS) this.#decode(false);
  }

  end(): void {
    this.#decode(true);
  }

  #decode(isLast: boolean): void {
    const open = isLast ? "" : (openEscape.exec(this.#waiting.slice(-6))?.[0] ?? "");
    let text = withoutEscapes(open === "" ? this.#waiting : this.#waiting.slice(0, -open.length));
    if (this.#isFirst) text = text.replace(/^data:image\/[\w.+-]+;base64,/, "");
    this.#isFirst = false;
    text = this.#isEnded ? "" : text.replace(notBase64, "");
    const padding = text.indexOf("=");
    this.#isEnded ||= padding !== -1;
    if (padding !== -1) text = text.slice(0, padding);
    // Four characters decode to three bytes; the remainder waits for the next piece.
    const rest = isLast || this.#isEnded ? 0 : text.length % 4;
    this.#waiting = text.slice(text.length - rest) + open;
    if (text.length > rest)
      this.pieces.push(Buffer.from(rest === 0 ? text : text.slice(0, -rest), "base64"));
  }
}

export class LongStrings {
  readonly #name = randomUUID();
  readonly #taken: Base64Pieces[] = [];
  readonly #decoder = new StringDecoder("utf8");
  #text = "";
  #isInString = false;
  #stringBytes = 0;
  /** The number of backslashes at the end of what was read of the string. */
  #slashes = 0;
  #current: Base64Pieces | null = null;
  /** The start of a string that may become long. */
  #beginning: Buffer[] = [];

  /** False when the rest is longer than an answer may be. */
  push(chunk: Buffer): boolean {
    // What is not taken out is kept in runs: an answer may consist of very many short strings.
    let run = 0;
    let at = 0;
    while (at < chunk.length) {
      if (this.#isInString) {
        at = run = this.#readString(chunk, at);
        continue;
      }
      const quote = chunk.indexOf(QUOTE, at);
      if (quote === -1) break;
      const end = endOfString(chunk, quote + 1);
      if (end < chunk.length && end - quote < LONG_BYTES_MIN) at = end + 1;
      else {
        this.#text += this.#decoder.write(chunk.subarray(run, quote + 1));
        this.#isInString = true;
        this.#slashes = 0;
        at = run = quote + 1;
      }
    }
    if (run < chunk.length) this.#text += this.#decoder.write(chunk.subarray(run));
    return this.#text.length <= TEXT_CHARACTERS_MAX;
  }

  /**
   * The answer with a name in place of each long string. A string that did not end is represented
   * by what arrived of it.
   */
  text(): string {
    if (this.#isInString) this.#endString();
    return this.#text + this.#decoder.end();
  }

  /** What has come since the last call, in the form of `text`: for a reader that does not wait. */
  take(): string {
    const text = this.#text;
    this.#text = "";
    return text;
  }

  /** The bytes that a name represents; null when `value` is no such name. */
  piecesOf(value: string): readonly Uint8Array[] | null {
    if (!value.startsWith(this.#name)) return null;
    return this.#taken[Number(value.slice(this.#name.length + 1))]?.pieces ?? null;
  }

  #readString(chunk: Buffer, from: number): number {
    const end = endOfString(chunk, from, this.#slashes);
    this.#take(chunk.subarray(from, end));
    if (end < chunk.length) {
      this.#endString();
      this.#text += '"';
      return end + 1;
    }
    const before = slashesBefore(chunk, end, from);
    this.#slashes = (before === end - from ? before + this.#slashes : before) % 2;
    return end;
  }

  #take(part: Buffer): void {
    this.#stringBytes += part.length;
    if (this.#current !== null) {
      this.#current.push(part);
      return;
    }
    this.#beginning.push(part);
    if (this.#stringBytes < LONG_BYTES_MIN) return;
    this.#current = new Base64Pieces();
    this.#current.push(Buffer.concat(this.#beginning));
    this.#beginning = [];
  }

  #endString(): void {
    if (this.#current === null)
      for (const part of this.#beginning) this.#text += this.#decoder.write(part);
    else {
      this.#current.end();
      this.#text += `${this.#name}.${this.#taken.push(this.#current) - 1}`;
    }
    this.#current = null;
    this.#beginning = [];
    this.#stringBytes = 0;
    this.#isInString = false;
  }
}
