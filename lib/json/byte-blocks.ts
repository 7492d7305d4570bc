const FIRST_BLOCK_BYTES = 32 * 1024;
const BLOCK_BYTES_MAX = 256 * 1024;
/** Shorter runs are faster to copy byte by byte. */
const RUN_BYTES_MIN = 64;

/** Bytes appended in blocks: no byte is copied twice, and no source buffer is kept alive. */
export class ByteBlocks {
  byteLength = 0;
  readonly #full: Buffer[] = [];
  #last = Buffer.alloc(0);
  #used = 0;

  append(part: Uint8Array, from = 0, to = part.length): void {
    for (let at = from; at < to; ) {
      if (this.#used === this.#last.length) this.#grow();
      const count = Math.min(to - at, this.#last.length - this.#used);
      if (count >= RUN_BYTES_MIN) this.#last.set(part.subarray(at, at + count), this.#used);
      else
        for (let offset = 0; offset < count; offset++)
          this.#last[this.#used + offset] = part[at + offset] as number;
      this.#used += count;
      this.byteLength += count;
      at += count;
    }
  }

  /** Appends bytes as long as `isTaken` is 1 for them; returns the index where it stopped. */
  appendWhile(isTaken: Uint8Array, part: Uint8Array, from: number): number {
    let at = from;
    while (at < part.length) {
      if (this.#used === this.#last.length) this.#grow();
      const block = this.#last;
      const end = Math.min(part.length, at + block.length - this.#used);
      const start = at;
      let used = this.#used;
      for (; at < end && isTaken[part[at] as number] === 1; at++)
        block[used++] = part[at] as number;
      this.#used = used;
      this.byteLength += at - start;
      if (at < end) break;
    }
    return at;
  }

  /** Empties it; its last block is used again, so nobody may keep the blocks. */
  clear(): void {
    this.#full.length = 0;
    this.#used = 0;
    this.byteLength = 0;
  }

  #grow(): void {
    if (this.#used > 0) this.#full.push(this.#last);
    this.#last = Buffer.allocUnsafeSlow(
      Math.min(BLOCK_BYTES_MAX, Math.max(FIRST_BLOCK_BYTES, this.#last.length * 2)),
    );
    this.#used = 0;
  }

  blocks(): Uint8Array[] {
    return [...this.#full, this.#last.subarray(0, this.#used)];
  }

  /** All bytes in one buffer; only for small contents. */
  joined(): Buffer {
    return this.#full.length === 0
      ? this.#last.subarray(0, this.#used)
      : Buffer.concat(this.blocks(), this.byteLength);
  }
}
