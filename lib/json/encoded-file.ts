/** A file that is encoded in base64 while it arrives, so that it is never encoded at once. */
import { createHash } from "node:crypto";
import { ByteBlocks } from "./byte-blocks";
import { IMAGE_HEAD_BYTES } from "./image-type";
import type { Blocks } from "./inline-images";

/** Three bytes make four characters. */
const GROUP = 3;

export class EncodedFile {
  readonly #text = new ByteBlocks();
  readonly #hash = createHash("sha256");
  #rest = Buffer.alloc(0);
  #head = Buffer.alloc(0);

  /** The first bytes of the file; all of it when it is shorter. */
  get head(): Uint8Array {
    return this.#head;
  }

  push(part: Buffer): void {
    this.#hash.update(part);
    if (this.#head.length < IMAGE_HEAD_BYTES)
      this.#head = Buffer.concat([this.#head, part.subarray(0, IMAGE_HEAD_BYTES)]);
    const bytes = this.#rest.length === 0 ? part : Buffer.concat([this.#rest, part]);
    const whole = bytes.length - (bytes.length % GROUP);
    this.#append(bytes.subarray(0, whole));
    // A copy: the part belongs to the connection.
    this.#rest = Buffer.from(bytes.subarray(whole));
  }

  /** The base64 of the file, and the hash of its bytes. */
  end(): { readonly blocks: Blocks; readonly sha256: string } {
    this.#append(this.#rest);
    return { blocks: this.#text.blocks(), sha256: this.#hash.digest("hex") };
  }

  #append(bytes: Buffer): void {
    if (bytes.length > 0) this.#text.append(Buffer.from(bytes.toString("base64"), "latin1"));
  }
}
