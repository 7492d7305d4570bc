/** Parses the parts of a `multipart/form-data` body while they arrive. */
import { Busboy, type BusboyFileStream, type BusboyInstance } from "@fastify/busboy";
import type { FormBounds } from "../contract/endpoint";
import { FORM_PARTS_MAX } from "../contract/limits";
import { RelayError } from "../failures/relay-error";
import { nextTurn } from "../timing/next-turn";
import type { FormFields } from "./form-fields";

const HEADER_BYTES_MAX = 4096;
const HEADERS_MAX = 16;
const TEXT_BYTES_MAX = 1024 * 1024;
const TURNS_MAX = 50;

const malformed = (what: string) =>
  new RelayError("invalid_value", {
    message: `The multipart/form-data body is malformed: ${what}.`,
  });

function openParser(contentType: string, { filesMax, fileBytesMax }: FormBounds): BusboyInstance {
  try {
    return new Busboy({
      headers: { "content-type": contentType },
      limits: {
        parts: FORM_PARTS_MAX,
        files: filesMax,
        // One byte more than allowed, so that a file of the limit's size is not cut.
        fileSize: fileBytesMax + 1,
        fieldSize: TEXT_BYTES_MAX + 1,
        headerPairs: HEADERS_MAX,
        headerSize: HEADER_BYTES_MAX,
      },
    });
  } catch (cause) {
    throw new RelayError("invalid_value", {
      message: "The Content-Type header has no boundary of the multipart/form-data body.",
      cause,
    });
  }
}

export class FormParser {
  readonly #parser: BusboyInstance;
  #failure: unknown;
  #hasFailed = false;
  #isFinished = false;

  constructor(
    contentType: string,
    readonly bounds: FormBounds,
    readonly fields: FormFields,
  ) {
    const parser = openParser(contentType, bounds);
    const { filesMax } = bounds;
    const tooMany = (what: string) => () =>
      this.#fail(new RelayError("invalid_value", { message: `The form has more than ${what}.` }));
    parser.on("field", (name, value) => this.#guard(() => fields.addText(name, value)));
    parser.on("file", (name, stream) => this.#readFile(name, stream));
    parser.on("partsLimit", tooMany(`${FORM_PARTS_MAX} parts`));
    parser.on("filesLimit", tooMany(`${filesMax} file${filesMax === 1 ? "" : "s"}`));
    parser.on("finish", () => {
      this.#isFinished = true;
    });
    parser.on("error", () => this.#fail(malformed("it ends before its last boundary")));
    this.#parser = parser;
  }

  /** Resolves when the piece was parsed. Rejects with the first fault of the form. */
  async write(piece: Uint8Array): Promise<void> {
    let isTaken = false;
    this.#parser.write(piece, () => {
      isTaken = true;
    });
    await this.#settle(() => isTaken || this.#isFinished);
  }

  /** Resolves when every part has been read to its end. */
  async end(): Promise<void> {
    this.#parser.end();
    await this.#settle(() => this.#isFinished);
  }

  /**
   * The parser stops without a word at some damaged parts. All that it reads is consumed at once, so
   * what has not happened after a few turns never will.
   */
  async #settle(isDone: () => boolean): Promise<void> {
    for (let turn = 0; turn < TURNS_MAX && !isDone() && !this.#hasFailed; turn++) await nextTurn();
    if (this.#hasFailed) throw this.#failure;
    if (!isDone()) throw malformed("the head of a part is incomplete or unknown");
  }

  #readFile(name: string, stream: BusboyFileStream): void {
    this.#guard(() => {
      const file = this.fields.openFile(name);
      stream.on("data", (part: Buffer) => this.#guard(() => file.push(part)));
      stream.on("end", () => this.#guard(() => file.end()));
    });
    // The parser reports the same fault itself.
    stream.on("error", () => {});
    if (this.#hasFailed) stream.resume();
  }

  #guard(step: () => void): void {
    if (this.#hasFailed) return;
    try {
      step();
    } catch (error) {
      this.#fail(error);
    }
  }

  #fail(error: unknown): void {
    if (this.#hasFailed) return;
    this.#hasFailed = true;
    this.#failure = error;
  }
}
