/** Takes the bytes of an answer while they come, and gives the text at the end. */
export interface BodyReader {
  /** False when the body grew beyond its bound. */
  push(chunk: Buffer): boolean;
  text(): string;
}

/** Pieces beyond this many are joined, so that a body of single bytes takes no more room than it has bytes. */
const PARTS_MAX = 512;

/** A body that is kept whole. */
export class CollectedBody implements BodyReader {
  #parts: Buffer[] = [];
  #size = 0;

  constructor(readonly bytesMax: number) {}

  /** A chunk that goes beyond the bound is not kept. */
  push(chunk: Buffer): boolean {
    this.#size += chunk.length;
    if (this.#size > this.bytesMax) return false;
    if (this.#parts.push(chunk) >= PARTS_MAX) this.#parts = [Buffer.concat(this.#parts)];
    return true;
  }

  bytes(): Buffer {
    return this.#parts.length === 1 ? (this.#parts[0] as Buffer) : Buffer.concat(this.#parts);
  }

  text(): string {
    return this.bytes().toString();
  }
}
