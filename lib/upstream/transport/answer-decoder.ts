/**
 * The bytes of an encoded answer, decoded while they arrive. It holds one piece that is not decoded
 * and what its reader has not taken; the reader's own bounds are on what it is given.
 */
import type { Transform } from "node:stream";
import { openDecoder } from "../../net/content-coding";

export interface DecodedReader {
  onDecoded(chunk: Buffer): void;
  /** All bytes were given. */
  onDecodedEnd(): void;
  /** The bytes cannot be decoded. Nothing follows. */
  onUndecoded(): void;
  /** What was pushed has been taken: more may come. */
  onDrained(): void;
}

export class AnswerDecoder {
  #stream: Transform | null = null;
  #isPaused = false;

  constructor(
    readonly coding: string,
    readonly reader: DecodedReader,
  ) {}

  #open(first: Buffer): Transform | null {
    const stream = openDecoder(this.coding, first, true);
    if (stream === null) return null;
    const { reader } = this;
    stream.on("data", (chunk: Buffer) => reader.onDecoded(chunk));
    stream.on("end", () => reader.onDecodedEnd());
    stream.on("error", () => reader.onUndecoded());
    stream.on("drain", () => reader.onDrained());
    if (this.#isPaused) stream.pause();
    return stream;
  }

  /** False when no more should come until `onDrained`. */
  push(chunk: Buffer): boolean {
    this.#stream ??= this.#open(chunk);
    if (this.#stream !== null) return this.#stream.write(chunk);
    this.reader.onUndecoded();
    return true;
  }

  /** Nothing more comes: the rest is given. */
  end(): void {
    if (this.#stream === null) this.reader.onDecodedEnd();
    else this.#stream.end();
  }

  pause(): void {
    this.#isPaused = true;
    this.#stream?.pause();
  }

  resume(): void {
    this.#isPaused = false;
    this.#stream?.resume();
  }

  /** Gives nothing more. */
  close(): void {
    this.#stream?.destroy();
  }
}
