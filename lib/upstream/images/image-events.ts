/**
 * Reads a stream of images as it comes, and gives it as the whole answer that it amounts to. An
 * upstream that does not stream answers whole.
 */
import type { JsonObject } from "../provider";
import type { BodyReader } from "../transport/collected-body";
import { SseParser } from "../transport/sse-parser";
import { asObject, parseUpstreamObject } from "../transport/upstream-json";
import type { LongStrings } from "./long-strings";

/** The first characters of the lines of a stream: comments, and the names of its fields. */
const beginsLine = /[:deir]/;
const beginning = /[^\s\ufeff\ufffd]/;
const FIRST_BYTES = 64;

const hasImage = ({ url, b64_json }: JsonObject) =>
  typeof url === "string" || typeof b64_json === "string";

export class ImageEvents implements BodyReader {
  /** Null until the first character has come. */
  #isStream: boolean | null = null;
  #isWithin = true;
  readonly #items: JsonObject[] = [];
  #usage: unknown;
  #error: unknown;
  readonly #parser = new SseParser((data) => this.#read(parseUpstreamObject(data)));

  constructor(
    readonly longStrings: LongStrings,
    readonly countMax: number,
    /** Gets each item of the answer as soon as it has come. */
    readonly onItem: (item: JsonObject) => void,
    /** Gets each picture of an image that is not finished. */
    readonly onPartial: (event: JsonObject) => void = () => {},
  ) {}

  push(chunk: Buffer): boolean {
    const isShort = this.longStrings.push(chunk);
    if (this.#isStream === null) {
      const first = beginning.exec(chunk.toString("utf8", 0, FIRST_BYTES))?.[0];
      if (first !== undefined) this.#isStream = beginsLine.test(first);
    }
    if (this.#isStream) this.#parse(this.longStrings.take());
    return isShort && this.#isWithin;
  }

  text(): string {
    const rest = this.longStrings.text();
    if (!this.#isStream) return rest;
    this.#parse(rest);
    this.#parser.end();
    const [error, data] = [this.#error, this.#items];
    if (error !== undefined && data.length > 0 && data.length < this.countMax) data.push({ error });
    return JSON.stringify({ data, usage: this.#usage, ...(data.length === 0 && { error }) });
  }

  #parse(text: string): void {
    this.#isWithin = this.#parser.push(Buffer.from(text)) && this.#isWithin;
  }

  #read(event: JsonObject | null): void {
    if (event === null) return;
    const type = String(event.type);
    this.#usage = asObject(event.usage) ?? this.#usage;
    if (/\.partial_(succeeded|failed)$/.test(type)) this.#add(event);
    else if (type.endsWith(".partial_image")) this.onPartial(event);
    // The whole of a stream of one image; elsewhere it repeats what came before.
    else if (type.endsWith(".completed") && hasImage(event) && this.#items.length === 0)
      this.#add(event);
    else if (event.error) this.#error = event.error;
  }

  #add(item: JsonObject): void {
    if (this.#items.length >= this.countMax) return;
    this.#items.push(item);
    this.onItem(item);
  }
}
