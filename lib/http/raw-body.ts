/**
 * The body of one request: bounded while it arrives, parsed, and released as soon as nobody needs
 * it.
 */
import { createHash, hash } from "node:crypto";
import type { EndpointRow } from "../contract/endpoint";
import { RelayError } from "../errors";
import { BodyScanner } from "../json/body-scanner";
import type { InlineImages } from "../json/inline-images";
import { parseScannedJson, parseStrictJson } from "../json/strict-json";
import type { BodyMemory, BodyShare } from "../limits/body-memory";
import { nextTurn } from "../next-turn";
import { BodyCharge } from "./body-charge";
import type { Incoming } from "./exchange";

/**
 * A body that arrives in one part of at most this size is parsed at once and takes no share of the
 * memory budget.
 */
const SMALL_BYTES_MAX = 16 * 1024;
/** After this many bytes other requests get their turn. */
const TURN_BYTES = 512 * 1024;
/** Text takes memory twice: as text and as the parsed value. */
const TEXT_WEIGHT = 2;

const noBytes = new Uint8Array(0);

/** What use cases know of a body besides the parsed value. */
export interface RawBody {
  /** True when it must be processed in steps. */
  readonly isLarge: boolean;
  /** The hash of the bytes as they arrived. */
  sha256(): Buffer;
  /** The encoded images that the parsed body refers to; undefined when there are none. */
  readonly images: InlineImages | undefined;
  /** Drops the images: they were sent, or will not be. */
  releaseImages(): void;
  /** Frees everything: at the end of the request, or when its body is no longer needed. */
  release(): void;
}

/** The body of a request without one. */
export const noBody: RawBody = {
  isLarge: false,
  sha256: () => hash("sha256", noBytes, "buffer"),
  images: undefined,
  releaseImages() {},
  release() {},
};

class SmallBody implements RawBody {
  readonly isLarge = false;
  readonly images = undefined;

  constructor(readonly bytes: Uint8Array) {}

  sha256(): Buffer {
    return hash("sha256", this.bytes, "buffer");
  }

  releaseImages(): void {}
  release(): void {}
}

/** A body that is scanned while it arrives. */
class LargeBody implements RawBody {
  readonly isLarge = true;
  readonly #scanner: BodyScanner;
  readonly #hash = createHash("sha256");
  readonly #charge: BodyCharge;
  #digest: Buffer | undefined;
  #sinceTurn = 0;

  constructor(
    row: EndpointRow,
    readonly share: BodyShare,
    weight: number,
  ) {
    this.#charge = new BodyCharge(share, weight);
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
    const wait = this.#charge.add(part.byteLength);
    if (wait !== undefined) return wait.then(() => this.#scan(part));
    return part.byteLength > TURN_BYTES ? this.#scan(part) : this.#read(part);
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
    for (let at = 0; at < part.length; at += TURN_BYTES)
      await this.#read(part.subarray(at, at + TURN_BYTES));
  }

  async parse(): Promise<unknown> {
    const text = this.#scanner.end();
    await nextTurn();
    const value = await parseScannedJson(text, this.#scanner.members);
    this.#charge.complete();
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

export interface ReceivedRawBody {
  readonly rawBody: RawBody;
  readonly value: unknown;
}

const formType = /^multipart\/form-data\s*(?:;|$)/i;
const isJson = (type: string) =>
  type === "application/json" || /^application\/json\s*(?:;|$)/i.test(type);

/**
 * Whether the body is a form, and not JSON. Throws `unsupported_media_type` for one that is neither,
 * and for a form where the row takes none.
 */
export function isFormBody({ form }: EndpointRow, incoming: Incoming): boolean {
  const type = incoming.header("content-type") ?? "";
  const isForm = form !== undefined && formType.test(type);
  if (!isForm && !isJson(type))
    throw new RelayError("unsupported_media_type", {
      ...(form && { message: "Send the body as application/json or multipart/form-data." }),
    });
  const encoding = incoming.header("content-encoding");
  if (encoding !== undefined && encoding !== "identity") {
    throw new RelayError("unsupported_media_type", {
      message: "Send the body without Content-Encoding.",
    });
  }
  return isForm;
}

/**
 * Reads and parses the body of a request for `row`. Throws what is wrong with it, or
 * `service_busy`.
 */
export async function receiveBody(
  row: EndpointRow,
  incoming: Incoming,
  memory: BodyMemory,
  accountId: string,
): Promise<ReceivedRawBody> {
  const { bodyBytesMax } = row;
  let first: Uint8Array | undefined;
  let large: LargeBody | undefined;
  const begin = () => {
    const weight = row.textBytesMax === undefined ? TEXT_WEIGHT : 1;
    const announced = Number(incoming.header("content-length") ?? bodyBytesMax);
    return new LargeBody(
      row,
      memory.open(accountId, weight * Math.min(bodyBytesMax, announced)),
      weight,
    );
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
      return { rawBody: new SmallBody(bytes), value: parseStrictJson(bytes) };
    }
    return { rawBody: large, value: await large.parse() };
  } catch (error) {
    large?.release();
    throw error;
  }
}
