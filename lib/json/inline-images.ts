/**
 * The encoded images of one request, outside its JSON. In the parsed body a short address
 * represents each image, so that no code that checks, copies or writes a body handles megabytes at
 * once.
 */
import { createHash, randomBytes } from "node:crypto";
import { nextTurn } from "../timing/next-turn";

export type Blocks = readonly Uint8Array[];

/** A body as it is sent upstream. */
export interface SplicedText {
  readonly byteLength: number;
  /** Small pieces. Other requests get their turn between two of them. */
  readonly pieces: AsyncIterable<Uint8Array>;
}

const INDEX_DIGITS = 8;

const sizeOf = (blocks: Blocks) => blocks.reduce((sum, { byteLength }) => sum + byteLength, 0);

async function* inTurns(parts: readonly Uint8Array[]): AsyncGenerator<Uint8Array> {
  for (const part of parts) {
    yield part;
    await nextTurn();
  }
}

export class InlineImages {
  /**
   * Base64, like the data it represents, and impossible to guess: a body can neither name another
   * request's image nor name its own image twice.
   */
  readonly #mark = randomBytes(24).toString("base64");
  readonly #images: Blocks[] = [];

  /** Keeps the bytes after `data:image/…;base64,` and returns the text that represents them. */
  add(blocks: Blocks): string {
    this.#images.push(blocks);
    return this.#mark + String(this.#images.length - 1).padStart(INDEX_DIGITS, "0");
  }

  get count(): number {
    return this.#images.length;
  }

  get byteLength(): number {
    return this.#images.reduce((sum, blocks) => sum + sizeOf(blocks), 0);
  }

  bytesIn(text: string): number {
    return this.#places(text).reduce((sum, { image }) => sum + sizeOf(image), 0);
  }

  #places(text: string): { readonly at: number; readonly end: number; readonly image: Blocks }[] {
    const places = [];
    for (let at = text.indexOf(this.#mark); at !== -1; at = text.indexOf(this.#mark, at + 1)) {
      const indexAt = at + this.#mark.length;
      const end = indexAt + INDEX_DIGITS;
      const image = this.#images[Number(text.slice(indexAt, end))];
      if (image === undefined) throw new Error("an inline image was released before it was sent");
      places.push({ at, end, image });
    }
    return places;
  }

  /** The same `text` without the images: each is a mark that says so. */
  leftOut(text: string): string {
    let kept = "";
    let from = 0;
    for (const { at, end } of this.#places(text)) {
      kept += `${text.slice(from, at)}…`;
      from = end;
    }
    return kept + text.slice(from);
  }

  /** The JSON `text` with every image back in its place. */
  spliceInto(text: string): SplicedText {
    const parts: Uint8Array[] = [];
    let from = 0;
    for (const { at, end, image } of this.#places(text)) {
      parts.push(Buffer.from(text.slice(from, at)), ...image);
      from = end;
    }
    parts.push(Buffer.from(text.slice(from)));
    return { byteLength: sizeOf(parts), pieces: inTurns(parts) };
  }

  /** The same in one text; null when it is longer than `bytesMax`. */
  async joinedInto(text: string, bytesMax: number): Promise<string | null> {
    const { byteLength, pieces } = this.spliceInto(text);
    if (byteLength > bytesMax) return null;
    const parts: Uint8Array[] = [];
    for await (const piece of pieces) parts.push(piece);
    return Buffer.concat(parts).toString();
  }

  /** A hash of `text` with every image in its place. */
  async sha256Of(text: string): Promise<Buffer> {
    const hash = createHash("sha256");
    for await (const piece of this.spliceInto(text).pieces) hash.update(piece);
    return hash.digest();
  }

  /**
   * Drops the bytes after they were sent, or when nobody needs them; returns how many there were.
   */
  release(): number {
    const bytes = this.byteLength;
    this.#images.length = 0;
    return bytes;
  }

  /** Images never become part of anything that is stored. */
  toJSON(): undefined {
    return undefined;
  }
}
