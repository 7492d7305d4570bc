/** The body of one request from its first byte: bounded while it comes, parsed, and let go as soon as nobody needs it. */
import { createHash, hash } from "node:crypto";
import type { EndpointRow } from "../contract/endpoint";
import { BodyScanner } from "../json/body-scanner";
import type { InlineImages } from "../json/inline-images";
import { parseScannedJson, parseStrictJson } from "../json/strict-json";
import type { BodyMemory, BodyShare } from "../limits/body-memory";
import { nextTurn } from "../next-turn";
import type { Incoming } from "./exchange";

/** A body of one part up to here is parsed at once and costs nothing more. */
const SMALL_BYTES_MAX = 16 * 1024;
/** Charged ahead, so that not every part asks. */
const CHARGE_BYTES = 256 * 1024;
/** After so many bytes others have their turn. */
const TURN_BYTES = 512 * 1024;
/** Text lies in memory as text and as what was parsed of it. */
const TEXT_WEIGHT = 2;

const noBytes = new Uint8Array(0);

/** What the use cases know of a body beside what was parsed of it. */
export interface SentBody {
  /** What is done with it is done in steps. */
  readonly isLarge: boolean;
  /** Of the bytes as they came. */
  sha256(): Buffer;
  /** The encoded images that the parsed body only stands in for; undefined where there are none. */
  readonly images: InlineImages | undefined;
  /** Lets the images go: they were sent, or nobody will send them. */
  releaseImages(): void;
  /** Gives back everything; for the end of a request, or when its body is needed no more. */
  release(): void;
}

/** Of a request without a body. */
export const noBody: SentBody = {
  isLarge: false,
  sha256: () => hash("sha256", noBytes, "buffer"),
  images: undefined,
  releaseImages() {},
  release() {},
};

class SmallBody implements SentBody {
  readonly isLarge = false;
  readonly images = undefined;

  constructor(readonly bytes: Uint8Array) {}

  sha256(): Buffer {
    return hash("sha256", this.bytes, "buffer");
  }

  releaseImages(): void {}
  release(): void {}
}

/** A body that is scanned as it comes. */
class LargeBody implements SentBody {
  readonly isLarge = true;
  readonly #scanner: BodyScanner;
  readonly #hash = createHash("sha256");
  #digest: Buffer | undefined;
  #received = 0;
  #charged = 0;
  #sinceTurn = 0;

  constructor(
    row: EndpointRow,
    readonly share: BodyShare,
    readonly weight: number,
  ) {
    const { bodyBytesMax, textBytesMax = bodyBytesMax } = row;
    this.#scanner = new BodyScanner({ textBytesMax, takesImagesOut: textBytesMax < bodyBytesMax });
  }

  get images(): InlineImages | undefined {
    const { images } = this.#scanner;
    return images.count === 0 ? undefined : images;
  }

  sha256(): Buffer {
    this.#digest ??= this.#hash.digest();
    return this.#digest;
  }

  take(part: Uint8Array): Promise<void> | undefined {
    this.#received += part.byteLength;
    const wait = this.#charge();
    if (wait !== undefined) return wait.then(() => this.#scan(part));
    return part.byteLength > TURN_BYTES ? this.#scan(part) : this.#read(part);
  }

  #charge(): Promise<void> | undefined {
    if (this.#received <= this.#charged) return undefined;
    const bytes = Math.ceil((this.#received - this.#charged) / CHARGE_BYTES) * CHARGE_BYTES;
    this.#charged += bytes;
    return this.share.charge(bytes * this.weight);
  }

  #read(part: Uint8Array): Promise<void> | undefined {
    this.#hash.update(part);
    this.#scanner.push(part);
    this.#sinceTurn += part.byteLength;
    if (this.#sinceTurn < TURN_BYTES) return undefined;
    this.#sinceTurn = 0;
    return nextTurn();
  }

  async #scan(part: Uint8Array): Promise<void> {
    for (let at = 0; at < part.length; at += TURN_BYTES) await this.#read(part.subarray(at, at + TURN_BYTES));
  }

  async parse(): Promise<unknown> {
    const text = this.#scanner.end();
    await nextTurn();
    const value = await parseScannedJson(text, this.#scanner.members);
    this.share.complete(this.#received * this.weight);
    return value;
  }

  releaseImages(): void {
    this.share.free(this.#scanner.releaseImages());
  }

  release(): void {
    this.#scanner.releaseImages();
    this.share.end();
  }
}

export interface ReceivedBody {
  readonly sent: SentBody;
  readonly value: unknown;
}

/** Reads and parses the body of a request to `row`. Throws what is wrong with it, or `service_busy`. */
export async function receiveBody(row: EndpointRow, incoming: Incoming, memory: BodyMemory, accountId: string): Promise<ReceivedBody> {
  const { bodyBytesMax } = row;
  let first: Uint8Array | undefined;
  let large: LargeBody | undefined;
  const begin = () => {
    const weight = row.textBytesMax === undefined ? TEXT_WEIGHT : 1;
    const announced = Number(incoming.header("content-length") ?? bodyBytesMax);
    return new LargeBody(row, memory.open(accountId, weight * Math.min(bodyBytesMax, announced)), weight);
  };
  try {
    await incoming.receive(bodyBytesMax, (part) => {
      if (large !== undefined) return large.take(part);
      if (first === undefined && part.byteLength <= SMALL_BYTES_MAX) {
        first = part;
        return undefined;
      }
      large = begin();
      const wait = first && large.take(first);
      return wait === undefined ? large.take(part) : wait.then(() => large?.take(part));
    });
    if (large === undefined) {
      const bytes = first ?? noBytes;
      return { sent: new SmallBody(bytes), value: parseStrictJson(bytes) };
    }
    return { sent: large, value: await large.parse() };
  } catch (error) {
    large?.release();
    throw error;
  }
}
