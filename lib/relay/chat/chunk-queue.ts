/** The bounded queue between an upstream's stream and its client. */

const QUEUE_BYTES_MAX = 256 * 1024;

const finished: IteratorResult<string> = { value: undefined, done: true };

export class ChunkQueue implements AsyncIterableIterator<string> {
  #pending = "";
  #bytes = 0;
  #isEnded = false;
  #isClosed = false;
  #error: Error | null = null;
  #waiting: ((result: IteratorResult<string> | Promise<IteratorResult<string>>) => void) | null =
    null;

  constructor(
    /** Called when the reader has taken everything that was queued. */
    readonly onDrained: () => void,
    /** Called when the reader goes away before the end. */
    readonly onClosed: () => void,
  ) {}

  get isFull(): boolean {
    return this.#bytes >= QUEUE_BYTES_MAX;
  }

  /** The reader has taken everything that was queued. */
  get isEmpty(): boolean {
    return this.#pending === "";
  }

  get isClosed(): boolean {
    return this.#isClosed;
  }

  push(text: string): void {
    if (this.#isClosed || this.#isEnded || text === "") return;
    const waiting = this.#waiting;
    if (waiting) {
      this.#waiting = null;
      waiting({ value: text, done: false });
      return;
    }
    this.#pending += text;
    this.#bytes += Buffer.byteLength(text);
  }

  /** Ends the stream. The reader still gets what is queued. */
  end(): void {
    this.#isEnded = true;
    if (this.#waiting) this.#stopWaiting();
  }

  /** Ends the stream as incomplete: the reader's next read rejects. */
  fail(error: Error): void {
    this.#error ??= error;
    this.end();
  }

  /** Closes the queue because the reader is gone, or counts as gone. Drops what is queued. */
  close(): void {
    if (this.#isClosed || (this.#isEnded && this.#pending === "")) return;
    this.#isClosed = true;
    this.#pending = "";
    this.#bytes = 0;
    if (this.#waiting) this.#stopWaiting();
    this.onClosed();
  }

  #stopWaiting(): void {
    const waiting = this.#waiting;
    this.#waiting = null;
    waiting?.(this.#error ? Promise.reject(this.#error) : finished);
  }

  next(): Promise<IteratorResult<string>> {
    if (this.#pending !== "") {
      const value = this.#pending;
      this.#pending = "";
      this.#bytes = 0;
      this.onDrained();
      return Promise.resolve({ value, done: false });
    }
    if (this.#isEnded || this.#isClosed)
      return this.#error ? Promise.reject(this.#error) : Promise.resolve(finished);
    return new Promise((resolve) => {
      this.#waiting = resolve;
    });
  }

  return(): Promise<IteratorResult<string>> {
    this.close();
    return Promise.resolve(finished);
  }

  [Symbol.asyncIterator](): this {
    return this;
  }
}
