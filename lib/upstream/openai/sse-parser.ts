/** Server-sent events as chat upstreams write them: CRLF or LF, chunks split anywhere, comments, several data lines. */
import { StringDecoder } from "node:string_decoder";

/** Longer lines and events than these are refused. */
export const SSE_EVENT_CHARACTERS_MAX = 1024 * 1024;

export class SseParser {
  readonly #decoder = new StringDecoder("utf8");
  readonly #onData: (data: string) => void;
  #rest = "";
  #data: string | null = null;

  constructor(onData: (data: string) => void) {
    this.#onData = onData;
  }

  /** Calls back for each event that `bytes` completes; answers false when a line or an event is too long. */
  push(bytes: Buffer): boolean {
    let text = this.#rest + this.#decoder.write(bytes);
    // A lone CR ends a line too; one at the very end may be half of a CRLF and waits.
    if (text.includes("\r")) {
      const isOpen = text.endsWith("\r");
      text = (isOpen ? text.slice(0, -1) : text).replace(/\r\n?/g, "\n") + (isOpen ? "\r" : "");
    }
    let start = 0;
    for (let end = text.indexOf("\n"); end !== -1; end = text.indexOf("\n", start)) {
      if (!this.#line(text, start, end)) return false;
      start = end + 1;
    }
    this.#rest = start === 0 ? text : text.slice(start);
    return this.#rest.length <= SSE_EVENT_CHARACTERS_MAX;
  }

  /** The upstream's bytes ended: an event that lacks only its blank line still counts. */
  end(): void {
    const rest = this.#rest.replace(/\r$/, "");
    this.#rest = "";
    if (rest !== "") this.#line(rest, 0, rest.length);
    this.#line("", 0, 0);
  }

  #line(text: string, start: number, end: number): boolean {
    if (start === end) {
      const data = this.#data;
      this.#data = null;
      if (data !== null) this.#onData(data);
      return true;
    }
    if (!text.startsWith("data", start)) return true;
    let from = start + 4;
    if (from < end) {
      if (text[from] !== ":") return true;
      from++;
      if (text[from] === " ") from++;
    }
    const value = text.slice(Math.min(from, end), end);
    this.#data = this.#data === null ? value : `${this.#data}\n${value}`;
    return this.#data.length <= SSE_EVENT_CHARACTERS_MAX;
  }
}
