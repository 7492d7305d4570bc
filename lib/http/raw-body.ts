/**
 * The body of one request: bounded while it arrives, parsed, and released as soon as nobody needs
 * it.
 */
import { createHash, hash } from "node:crypto";
import type { EndpointRow } from "../contract/endpoint";
import { RelayError } from "../failures/relay-error";
import { BodyScanner, refuseText, type ScanBounds } from "../json/body-scanner";
import type { InlineImages } from "../json/inline-images";
import { parseScannedJson, parseStrictJson } from "../json/strict-json";
import type { BodyMemory, BodyShare } from "../limits/body-memory";
import type { InSteps } from "../timing/next-turn";
import { BodyCharge } from "./body-charge";
import type { CarriedImages, Incoming } from "./exchange";
import { Holds } from "./holds";

/**
 * A body that arrives in one part of at most this size is parsed at once and takes no share of the
 * memory budget.
 */
const SMALL_BYTES_MAX = 16 * 1024;
/** A longer part is read in steps of this size. */
const STEP_BYTES = 128 * 1024;
const noBytes = new Uint8Array(0);

/** What use cases know of a body besides the parsed value. */
export interface RawBody {
  /** True when it must be processed in steps. */
  readonly isLarge: boolean;
  /** The hash of the bytes as they arrived. */
  sha256(): Buffer;
  /** The encoded images that the parsed body refers to; undefined when there are none. */
  readonly images: InlineImages | undefined;
  /**
   * Counts the bytes of images that are not the request's own as its text. Throws `body_too_large`
   * when the text is then too long for its row, or for another one with `textBytesMax`.
   */
  countAsText(bytes: number, textBytesMax?: number): void;
  /** Drops the images: they were sent, or will not be. */
  releaseImages(): void;
  /** Runs one step of the work on a large body in its turn, and any other at once. */
  step: InSteps;
  /** The request was refused: the work on its body counts as unpaid. Frees everything. */
  refuse(): void;
  /** Frees everything: at the end of the request, or when its body is no longer needed. */
  release(): void;
  /** Nothing is freed before the returned function is called. */
  hold(): () => void;
}

const holdNothing = () => () => {};

const atOnce: InSteps = (step) => step();

/** The body of a request without one. */
export const noBody: RawBody = {
  isLarge: false,
  sha256: () => hash("sha256", noBytes, "buffer"),
  images: undefined,
  countAsText() {},
  releaseImages() {},
  step: atOnce,
  refuse() {},
  release() {},
  hold: holdNothing,
};

class SmallBody implements RawBody {
  readonly isLarge = false;
  readonly images = undefined;

  constructor(readonly bytes: Uint8Array) {}

  sha256(): Buffer {
    return hash("sha256", this.bytes, "buffer");
  }

  countAsText(): void {}
  releaseImages(): void {}
  step = atOnce;
  refuse(): void {}
  release(): void {}
  hold = holdNothing;
}

function scanBoundsOf(row: EndpointRow): ScanBounds {
  const { bodyBytesMax, textBytesMax = bodyBytesMax, hasBareImages = false } = row;
  const takesImagesOut = textBytesMax < bodyBytesMax;
  return { textBytesMax, takesImagesOut, takesBareImages: hasBareImages };
}

/** The most memory that a body of `bytes` takes: its bytes, and once more those of its text. */
function memoryOf({ bodyBytesMax, textBytesMax = bodyBytesMax }: EndpointRow, bytes: number) {
  const most = Math.max(bodyBytesMax, 2 * textBytesMax);
  return Math.min(most, bytes + Math.min(bytes, textBytesMax));
}

/** A body that is scanned while it arrives. */
class LargeBody implements RawBody {
  readonly isLarge = true;
  readonly #scanner: BodyScanner;
  readonly #hash = createHash("sha256");
  readonly #charge: BodyCharge;
  readonly #holds: Holds;
  #digest: Buffer | undefined;

  constructor(
    row: EndpointRow,
    readonly share: BodyShare,
  ) {
    this.#charge = new BodyCharge(share, 1);
    this.#scanner = new BodyScanner(scanBoundsOf(row));
    this.#holds = new Holds(() => {
      this.#scanner.releaseImages();
      share.end();
    });
  }

  get images(): InlineImages | undefined {
    const { images } = this.#scanner;
    return images.count === 0 ? undefined : images;
  }

  sha256(): Buffer {
    this.#digest ??= this.#hash.digest();
    return this.#digest;
  }

  get step(): InSteps {
    return this.share.work.step;
  }

  take(part: Uint8Array): Promise<void> | undefined {
    const wait = this.#charge.add(part.byteLength);
    if (wait !== undefined) return wait.then(() => this.#scan(part));
    return part.byteLength > STEP_BYTES ? this.#scan(part) : this.#read(part);
  }

  #read(part: Uint8Array): Promise<void> | undefined {
    const read = this.step(() => {
      this.#hash.update(part);
      this.#scanner.push(part);
    });
    return read instanceof Promise ? read : undefined;
  }

  async #scan(part: Uint8Array): Promise<void> {
    for (let at = 0; at < part.length; at += STEP_BYTES)
      await this.#read(part.subarray(at, at + STEP_BYTES));
  }

  /** Text takes memory twice: as text and as the parsed value. */
  async parse(): Promise<unknown> {
    const text = await this.step(() => this.#scanner.end());
    await this.share.charge(text.byteLength);
    const value = await parseScannedJson(text, this.#scanner.members, this.step);
    this.#charge.complete(text.byteLength);
    return value;
  }

  countAsText(bytes: number, textBytesMax = this.#scanner.bounds.textBytesMax): void {
    const { bounds, textBytes } = this.#scanner;
    if (textBytes + bytes > textBytesMax) refuseText({ ...bounds, textBytesMax });
  }

  releaseImages(): void {
    this.share.free(this.#scanner.releaseImages());
  }

  refuse(): void {
    this.share.work.refuse();
    this.release();
  }

  release(): void {
    this.#holds.release();
  }

  hold(): () => void {
    return this.#holds.hold();
  }
}

/** A body that refers to images which its caller keeps. */
class CarryingBody implements RawBody {
  readonly isLarge = true;
  readonly images: InlineImages;

  constructor(
    readonly own: RawBody,
    readonly carried: CarriedImages,
  ) {
    this.images = carried.images;
  }

  sha256(): Buffer {
    return this.carried.sha256;
  }

  countAsText(bytes: number, textBytesMax?: number): void {
    this.own.countAsText(bytes, textBytesMax);
  }

  releaseImages(): void {
    this.own.releaseImages();
  }

  get step(): InSteps {
    return this.own.step;
  }

  refuse(): void {
    this.own.refuse();
  }

  release(): void {
    this.own.release();
  }

  hold(): () => void {
    return this.own.hold();
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
    const announced = Number(incoming.header("content-length") ?? bodyBytesMax);
    const bytes = Math.min(bodyBytesMax, announced);
    const isUnpaid = row.billing === "free";
    return new LargeBody(row, memory.open(accountId, memoryOf(row, bytes), isUnpaid));
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
    const own = large ?? new SmallBody(first ?? noBytes);
    const value = own instanceof SmallBody ? parseStrictJson(own.bytes) : await own.parse();
    const { carried } = incoming;
    return { rawBody: carried ? new CarryingBody(own, carried) : own, value };
  } catch (error) {
    large?.refuse();
    throw error;
  }
}
