/**
 * Parses server-sent events as chat upstreams write them: CRLF or LF, split anywhere, with comments
 * and several data lines.
 */
import { StringDecoder } from "node:string_decoder";

/** A longer line or event is refused. It is skipped when reading continues. */
export const SSE_EVENT_CHARACTERS_MAX = 1024 * 1024;

const PLAIN = "data: ";
/** A field of its own, in which llama.cpp of 2025 says why a stream ends. */
const ERROR = "error:";
const errorOf = (text: string) => `{"error":${text.startsWith("{") ? text : JSON.stringify(text)}}`;
const NEWLINE = 10;

export class SseParser {
  readonly #decoder = new StringDecoder("utf8");
  readonly #onData: (data: string) => void;
  /**
   * The unfinished line. Only new bytes are searched for its end, so many small pieces cost no more
   * than a few large ones.
   */
  #line = "";
  #isLineTooLong = false;
  #endsWithReturn = false;
  #isFirst = true;
  #data: string | null = null;
  #isEventTooLong = false;
  #isWithin = true;

  constructor(onData: (data: string) => void) {
    this.#onData = onData;
  }

  /**
   * Calls back for each event that `bytes` completes. False when a line or an event is too long.
   */
  push(bytes: Buffer): boolean {
    let text = this.#decoder.write(bytes);
    if (this.#isFirst && text !== "") {
      this.#isFirst = false;
      if (text.charCodeAt(0) === 0xfeff) text = text.slice(1);
    }
    this.#isWithin = true;
    // A lone CR also ends a line. One at the very end may be half of a CRLF, whose LF must not end
    // another line.
    if (this.#endsWithReturn && text.startsWith("\n")) text = text.slice(1);
    if (text !== "") this.#endsWithReturn = false;
    if (text.includes("\r")) {
      this.#endsWithReturn = text.endsWith("\r");
      text = text.replace(/\r\n?/g, "\n");
    }
    let start = 0;
    for (let end = text.indexOf("\n"); end !== -1; end = text.indexOf("\n", start)) {
      if (this.#isPlainEvent(text, start, end)) {
        this.#onData(text.slice(start + PLAIN.length, end));
        start = end + 2;
        continue;
      }
      this.#extend(text.slice(start, end));
      this.#endLine();
      start = end + 1;
    }
    if (start < text.length) this.#extend(text.slice(start));
    return this.#isWithin;
  }

  /** Whether a whole event is there, of nothing but one line of data: nearly all are. */
  #isPlainEvent(text: string, start: number, end: number): boolean {
    return (
      text.charCodeAt(end + 1) === NEWLINE &&
      text.startsWith(PLAIN, start) &&
      end - start <= SSE_EVENT_CHARACTERS_MAX &&
      this.#data === null &&
      this.#line === "" &&
      !this.#isLineTooLong &&
      !this.#isEventTooLong
    );
  }

  /** The stream has ended. An event that only lacks its blank line still counts. */
  end(): void {
    if (this.#line !== "" || this.#isLineTooLong) this.#endLine();
    this.#endLine();
  }

  #extend(text: string): void {
    if (this.#isLineTooLong) return;
    this.#line = this.#line === "" ? text : this.#line + text;
    if (this.#line.length <= SSE_EVENT_CHARACTERS_MAX) return;
    this.#line = "";
    this.#isLineTooLong = true;
    this.#isEventTooLong = true;
    this.#isWithin = false;
  }

  #endLine(): void {
    const line = this.#line;
    const wasTooLong = this.#isLineTooLong;
    this.#line = "";
    this.#isLineTooLong = false;
    if (wasTooLong) return;
    if (line === "") this.#endEvent();
    else this.#readLine(line);
  }

  #endEvent(): void {
    const data = this.#data;
    const isWhole = !this.#isEventTooLong;
    this.#data = null;
    this.#isEventTooLong = false;
    if (data !== null && isWhole) this.#onData(data);
  }

  #readLine(line: string): void {
    if (line.startsWith(ERROR)) this.#data = errorOf(line.slice(ERROR.length).trim());
    if (!line.startsWith("data")) return;
    let from = 4;
    if (line.length > 4) {
      if (line[4] !== ":") return;
      from = line[5] === " " ? 6 : 5;
    }
    if (this.#isEventTooLong) return;
    const value = line.slice(from);
    this.#data = this.#data === null ? value : `${this.#data}\n${value}`;
    if (this.#data.length <= SSE_EVENT_CHARACTERS_MAX) return;
    this.#data = null;
    this.#isEventTooLong = true;
    this.#isWithin = false;
  }
}
