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

/**
 * An answer that is longer than this may be at most so many times as long as what arrived: what grows
 * more is made to keep its reader busy. The bound is reached long before any deadline.
 */
const LENGTH_FREE = 8 * 1024 * 1024;
const GROWTH_MAX = 100;

export class AnswerDecoder {
  #stream: Transform | null = null;
  #isPaused = false;
  #arrived = 0;
  #decoded = 0;

  constructor(
    readonly coding: string,
    readonly reader: DecodedReader,
  ) {}

  #open(first: Buffer): Transform | null {
    const stream = openDecoder(this.coding, first, true);
    if (stream === null) return null;
    const { reader } = this;
    stream.on("data", (chunk: Buffer) => this.#give(chunk));
    stream.on("end", () => reader.onDecodedEnd());
    stream.on("error", () => reader.onUndecoded());
    stream.on("drain", () => reader.onDrained());
    if (this.#isPaused) stream.pause();
    return stream;
  }

  #give(chunk: Buffer): void {
    this.#decoded += chunk.length;
    if (this.#decoded > Math.max(LENGTH_FREE, this.#arrived * GROWTH_MAX))
      this.reader.onUndecoded();
    else this.reader.onDecoded(chunk);
  }

  /** False when no more should come until `onDrained`. */
  push(chunk: Buffer): boolean {
    this.#arrived += chunk.length;
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
