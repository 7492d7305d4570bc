/** Collects the bytes of an answer and returns the text at the end. */
export interface BodyReader {
  /** False when the body exceeded its bound. */
  push(chunk: Buffer): boolean;
  text(): string;
}

/**
 * More pieces than this are joined, so that a body that arrives byte by byte takes no more memory
 * than its length.
 */
const PARTS_MAX = 512;

/** A body that is kept as a whole. */
export class CollectedBody implements BodyReader {
  #parts: Buffer[] = [];
  #size = 0;

  constructor(readonly bytesMax: number) {}

  /** A chunk that exceeds the bound is not kept. */
  push(chunk: Buffer): boolean {
    this.#size += chunk.length;
    if (this.#size > this.bytesMax) return false;
    if (this.#parts.push(chunk) >= PARTS_MAX) this.#parts = [Buffer.concat(this.#parts)];
    return true;
  }

  bytes(): Buffer {
    const first = this.#parts[0];
    return this.#parts.length === 1 && first !== undefined ? first : Buffer.concat(this.#parts);
  }

  text(): string {
    return this.bytes().toString();
  }
}
