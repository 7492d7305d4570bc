/**
 * Scans a JSON body while it arrives, each byte once: counts its parts and takes encoded images and
 * PDFs out. What remains is small enough to parse at once; only the parser finds out whether it is valid
 * JSON.
 */
import { imageTypes } from "../contract/media-fields";
import { RelayError } from "../failures/relay-error";
import { ByteBlocks } from "./byte-blocks";
import { InlineImages } from "./inline-images";
import { JsonShape } from "./json-shape";

/** A shorter image is not taken out. */
const IMAGE_BYTES_MIN = 8 * 1024;

const QUOTE = 34;
const COMMA = 44;
const SLASH = 47;
const COLON = 58;
const EQUALS = 61;
const OPEN_BRACKET = 91;
const BACKSLASH = 92;
const CLOSE_BRACKET = 93;
const OPEN_BRACE = 123;
const CLOSE_BRACE = 125;

/** The start of a data URL of an image or a PDF; JSON may escape its slash. */
const imageStart = new RegExp(
  `^data:(?:image\\\\?/(?:${imageTypes.join("|")})|application\\\\?/pdf);base64,$`,
);
const IMAGE_STARTS = ["data:image", "data:application"] as const;
const IMAGE_START_BYTES_MAX = 40;
const backslash = Buffer.from("\\");
/** The name of a member whose value may be an image without the start of a data URL. */
const BARE = "data";

const isBase64 = new Uint8Array(256);
for (const character of "ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789+/")
  isBase64[character.charCodeAt(0)] = 1;

/**
 * The end of a string is searched byte by byte up to here, then by `indexOf`, whose call costs as
 * much as this many steps.
 */
const NEAR_BYTES = 32;

/** Whether an odd number of backslashes precedes `end`. */
function endsEscaped(part: Uint8Array, from: number, end: number): boolean {
  let at = end;
  while (at > from && part[at - 1] === BACKSLASH) at--;
  return (end - at) % 2 === 1;
}

/**
 * Where the scanner is: between values; in a name that may be `data`; in another name or a string; at
 * the start of a string that may be an image; in an image; after an image and before its closing
 * quote.
 */
type Place = "outside" | "name" | "string" | "start" | "image" | "padding";

export interface ScanBounds {
  /** The most bytes that may remain without the images. */
  readonly textBytesMax: number;
  readonly takesImagesOut: boolean;
  /** Whether base64 in a member that is named `data` is taken for an image. */
  readonly takesBareImages?: boolean;
}

export function refuseText({ textBytesMax, takesImagesOut }: ScanBounds): never {
  const what = takesImagesOut ? "Without its encoded files, the request body" : "The request body";
  throw new RelayError("body_too_large", {
    message: `${what} is larger than the limit of ${textBytesMax} bytes.`,
    fault: { name: "body_bytes", max: textBytesMax },
  });
}

export class BodyScanner {
  readonly #shape = new JsonShape();
  readonly images = new InlineImages();
  readonly #text = new ByteBlocks();
  #image = new ByteBlocks();
  #place: Place = "outside";
  #isEscaped = false;
  /** True when the next string is the value of a member that is named `data`. */
  #isBare = false;
  #start = "";
  #padding = 0;

  constructor(readonly bounds: ScanBounds) {}

  /**
   * Throws `invalid_json`, `invalid_value` or `body_too_large` as soon as a part shows the fault.
   */
  push(part: Uint8Array): void {
    for (let at = 0; at < part.length; ) at = this.#step(part, at);
  }

  /** The members of all objects. */
  get members(): number {
    return this.#shape.members;
  }

  /** How many bytes remain of what was scanned, without the images. */
  get textBytes(): number {
    return this.#text.byteLength;
  }

  /** What remains of the body, in one buffer. */
  end(): Buffer {
    return this.#text.joined();
  }

  /** Drops the images; returns how many bytes they had. */
  releaseImages(): number {
    return this.images.release();
  }

  /** Reads on from `at` in the current state; returns the index that it reached. */
  #step(part: Uint8Array, at: number): number {
    switch (this.#place) {
      case "outside":
        return this.#keep(part, at, this.#outside(part, at));
      case "name":
        return this.#keep(part, at, this.#name(part, at));
      case "string":
        return this.#keep(part, at, this.#string(part, at));
      case "start":
        return this.#keep(part, at, this.#beginning(part, at));
      case "image":
        return this.#imageBytes(part, at);
      case "padding":
        return this.#afterImage(part, at);
    }
  }

  #keep(part: Uint8Array, from: number, to: number): number {
    this.#text.append(part, from, to);
    this.#boundText();
    return to;
  }

  #boundText(): void {
    if (this.#text.byteLength > this.bounds.textBytesMax) refuseText(this.bounds);
  }

  #outside(part: Uint8Array, from: number): number {
    let at = from;
    for (; at < part.length; at++) {
      const code = part[at];
      if (code === QUOTE) {
        this.#begin();
        return at + 1;
      }
      if (code === COMMA) this.#shape.comma();
      else if (code === COLON) this.#shape.colon();
      else if (code === OPEN_BRACE) this.#shape.openObject();
      else if (code === OPEN_BRACKET) this.#shape.openArray();
      else if (code === CLOSE_BRACE || code === CLOSE_BRACKET) this.#shape.close();
    }
    return at;
  }

  /** A string begins. */
  #begin(): void {
    this.#shape.string();
    const { takesImagesOut, takesBareImages } = this.bounds;
    this.#start = "";
    if (this.#shape.isName) this.#place = takesBareImages ? "name" : "string";
    else if (this.#isBare) this.#beginImage();
    else this.#place = takesImagesOut ? "start" : "string";
    this.#isBare = false;
  }

  #beginImage(): void {
    this.#place = "image";
    this.#padding = 0;
  }

  /** Compares a name with the one of images without a start. */
  #name(part: Uint8Array, from: number): number {
    for (let at = from; at < part.length; at++) {
      const code = part[at] ?? 0;
      if (code === QUOTE && this.#start === BARE) {
        this.#isBare = true;
        this.#place = "outside";
        return at + 1;
      }
      const name = this.#start + String.fromCharCode(code);
      if (!BARE.startsWith(name)) {
        this.#place = "string";
        return at;
      }
      this.#start = name;
    }
    return part.length;
  }

  #string(part: Uint8Array, from: number): number {
    let at = from;
    while (at < part.length) {
      for (const near = Math.min(part.length, at + NEAR_BYTES); at < near; at++) {
        if (this.#isEscaped) this.#isEscaped = false;
        else if (part[at] === BACKSLASH) this.#isEscaped = true;
        else if (part[at] === QUOTE) {
          this.#place = "outside";
          return at + 1;
        }
      }
      if (this.#isEscaped) continue;
      const quote = part.indexOf(QUOTE, at);
      const end = quote < 0 ? part.length : quote;
      this.#isEscaped = endsEscaped(part, at, end);
      at = end;
    }
    return at;
  }

  /** Reads the start of a string until it is known whether it is an image. */
  #beginning(part: Uint8Array, from: number): number {
    let at = from;
    for (; at < part.length; at++) {
      const code = part[at] as number;
      const start = this.#start + String.fromCharCode(code);
      if (code === COMMA && imageStart.test(start)) {
        this.#beginImage();
        return at + 1;
      }
      const isPossible = IMAGE_STARTS.some((one) => one.startsWith(start) || start.startsWith(one));
      if (!isPossible || code === QUOTE || start.length > IMAGE_START_BYTES_MAX) {
        this.#isEscaped = (/\\*$/.exec(this.#start)?.[0].length ?? 0) % 2 === 1;
        this.#place = "string";
        return at;
      }
      this.#start = start;
    }
    return at;
  }

  #imageBytes(part: Uint8Array, from: number): number {
    if (this.#isEscaped) {
      // JSON may write a slash as `\/`.
      if (part[from] !== SLASH) return this.#noImage(from);
      this.#isEscaped = false;
    }
    const at = this.#image.appendWhile(isBase64, part, from);
    if (at === part.length) return at;
    const code = part[at];
    if (code === BACKSLASH) {
      this.#isEscaped = true;
      return at + 1;
    }
    if (code !== EQUALS && code !== QUOTE) return this.#noImage(at);
    this.#place = "padding";
    return at;
  }

  #afterImage(part: Uint8Array, at: number): number {
    if (part[at] === EQUALS && this.#padding < 2) {
      this.#padding++;
      this.#image.append(part, at, at + 1);
      return at + 1;
    }
    if (part[at] !== QUOTE) return this.#noImage(at);
    if (this.#image.byteLength < IMAGE_BYTES_MIN) return this.#noImage(at);
    this.#text.append(Buffer.from(this.images.add(this.#image.blocks())));
    this.#image = new ByteBlocks();
    this.#place = "string";
    return at;
  }

  /**
   * Continues as an ordinary string, which the schema checks. Refuses one that is too large for
   * that.
   */
  #noImage(at: number): number {
    if (this.#text.byteLength + this.#image.byteLength > this.bounds.textBytesMax) {
      const message = "An encoded image in the request body has characters that are not base64.";
      throw new RelayError("invalid_value", { message });
    }
    for (const block of this.#image.blocks()) this.#text.append(block);
    if (this.#isEscaped) this.#text.append(backslash);
    this.#image.clear();
    this.#place = "string";
    return at;
  }
}
