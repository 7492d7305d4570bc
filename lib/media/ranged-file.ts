/** Reads parts of a file at a public address, bounded in bytes, requests and time. */
import type { Agent, Dispatcher } from "undici";
import { codingOf } from "../net/content-coding";
import { fetchHeaders, hopOf, REDIRECTS_MAX, redirectOf } from "./fetch-result";
import { LengthUnknown } from "./movie-length";

export interface RangeBounds {
  /** Of all parts together. */
  readonly bytesMax: number;
  readonly requestsMax: number;
  readonly totalMs: number;
}

const BLOCK_BYTES = 16 * 1024;
const HEADERS_MS = 10_000;

interface Part {
  readonly at: number;
  readonly bytes: Buffer;
}

export class RangedFile {
  #url: URL;
  #part: Part = { at: 0, bytes: Buffer.alloc(0) };
  /** A server that knows no ranges: all that was read of the file. */
  #isWhole = false;
  #bytesLeft: number;
  #requestsLeft: number;
  readonly #signal: AbortSignal;

  constructor(
    readonly agent: Agent,
    address: string,
    { bytesMax, requestsMax, totalMs }: RangeBounds,
  ) {
    this.#url = hopOf(address, undefined);
    this.#bytesLeft = bytesMax;
    this.#requestsLeft = requestsMax;
    this.#signal = AbortSignal.timeout(totalMs);
  }

  /** The bytes from `at` on; fewer at the end of the file. */
  async bytes(at: number, length: number): Promise<Buffer> {
    const { at: from, bytes } = this.#part;
    const isHere = at >= from && at + length <= from + bytes.length;
    if (!isHere && !this.#isWhole) this.#part = await this.#read(at, Math.max(length, BLOCK_BYTES));
    const start = at - this.#part.at;
    return this.#part.bytes.subarray(start, start + length);
  }

  async #read(at: number, length: number): Promise<Part> {
    if (length > this.#bytesLeft) throw new LengthUnknown("its header is too long, or too far in");
    const answer = await this.#request(`bytes=${at}-${at + length - 1}`);
    try {
      const { statusCode, headers } = answer;
      if (codingOf(headers) !== null) throw new LengthUnknown("its server encodes it");
      if (statusCode === 416) return { at, bytes: Buffer.alloc(0) };
      if (statusCode === 206 && String(headers["content-range"]).startsWith(`bytes ${at}-`))
        return { at, bytes: await this.#take(answer, length) };
      if (statusCode !== 200) throw new LengthUnknown(`its server answered ${statusCode}`);
      this.#isWhole = true;
      return { at: 0, bytes: await this.#take(answer, this.#bytesLeft) };
    } finally {
      answer.body.on("error", () => {}).destroy();
    }
  }

  async #take({ body }: Dispatcher.ResponseData, most: number): Promise<Buffer> {
    const parts: Uint8Array[] = [];
    let total = 0;
    for await (const part of body as AsyncIterable<Uint8Array>) {
      parts.push(part.subarray(0, most - total));
      total += part.byteLength;
      if (total >= most) break;
    }
    const bytes = Buffer.concat(parts);
    this.#bytesLeft -= bytes.length;
    return bytes;
  }

  async #request(range: string): Promise<Dispatcher.ResponseData> {
    for (let hop = 0; hop <= REDIRECTS_MAX; hop++) {
      if (this.#requestsLeft-- <= 0) throw new LengthUnknown("its header is too far in");
      const { origin, pathname, search } = this.#url;
      const answer = await this.agent.request({
        ...{ origin, path: pathname + search, method: "GET", signal: this.#signal },
        headers: { ...fetchHeaders, range },
        ...{ headersTimeout: HEADERS_MS, bodyTimeout: HEADERS_MS },
      });
      const next = redirectOf(answer, this.#url);
      if (next === null) return answer;
      answer.body.on("error", () => {}).destroy();
      this.#url = next;
    }
    throw new LengthUnknown(`it was redirected more than ${REDIRECTS_MAX} times`);
  }
}
