/**
 * Decodes what a server has encoded although `identity` was asked for: a proxy or a CDN before it
 * may compress all the same.
 */
import { PassThrough, Readable, Transform } from "node:stream";
import * as zlib from "node:zlib";

/** Names and values, alternating: sent with every request. */
export const identityAsked: readonly string[] = ["accept-encoding", "identity"];

const { Z_SYNC_FLUSH, BROTLI_OPERATION_FLUSH } = zlib.constants;
/** What came is decoded at once. */
const whole = {
  zlib: { flush: Z_SYNC_FLUSH },
  brotli: { flush: BROTLI_OPERATION_FLUSH },
};
/** The same, and an end that breaks off is no error. */
const broken = {
  zlib: { ...whole.zlib, finishFlush: Z_SYNC_FLUSH },
  brotli: { ...whole.brotli, finishFlush: BROTLI_OPERATION_FLUSH },
};

/** Node has it from 22.15 on. */
const createZstd: unknown = Reflect.get(zlib, "createZstdDecompress");
const codings: readonly string[] = [
  "gzip",
  "x-gzip",
  "deflate",
  "br",
  ...(typeof createZstd === "function" ? ["zstd"] : []),
];
const NAME_LENGTH_MAX = 20;
/** What some servers write for none. */
const notCodings: ReadonlySet<string> = new Set(["identity", "none", "utf-8", "aws-chunked"]);

type Headers = Readonly<Record<string, string | string[] | undefined>>;

/** The coding of an answer, fit for a log; null when it has none. */
export function codingOf(headers: Headers): string | null {
  const named = String(headers["content-encoding"] ?? "").toLowerCase();
  const [coding, ...others] = named
    .split(",")
    .map((name) => name.trim())
    .filter((name) => name !== "" && !notCodings.has(name));
  if (coding === undefined) return null;
  if (others.length > 0) return "unknown";
  return /^[a-z0-9-]+$/.test(coding) && coding.length <= NAME_LENGTH_MAX ? coding : "unknown";
}

/** Some servers send `deflate` without the head that it should have. */
const hasDeflateHead = (first: Uint8Array): boolean => ((first[0] ?? 0) & 0x0f) === 8;

/** Some proxies decode, and leave the label. */
const hasGzipHead = (first: Uint8Array): boolean => first[0] === 0x1f;

export const canDecode = (coding: string): boolean => codings.includes(coding);

function openZstd(): Transform | null {
  const opened: unknown = typeof createZstd === "function" ? createZstd() : null;
  return opened instanceof Transform ? opened : null;
}

/**
 * `first`: the first bytes of the body. `isBroken`: the body may end anywhere, and what came before
 * is decoded. Null for a coding that cannot be decoded.
 */
export function openDecoder(
  coding: string,
  first: Uint8Array,
  isBroken: boolean,
): Transform | null {
  const options = isBroken ? broken : whole;
  switch (coding) {
    case "gzip":
    case "x-gzip":
      return hasGzipHead(first) ? zlib.createGunzip(options.zlib) : new PassThrough();
    case "deflate":
      return hasDeflateHead(first)
        ? zlib.createInflate(options.zlib)
        : zlib.createInflateRaw(options.zlib);
    case "br":
      return zlib.createBrotliDecompress(options.brotli);
    case "zstd":
      return openZstd();
    default:
      return null;
  }
}

/** The decoded bytes. Throws what the source throws, and for what cannot be decoded. */
export async function* decoded(
  parts: AsyncIterable<Uint8Array>,
  coding: string,
): AsyncGenerator<Uint8Array> {
  const source = parts[Symbol.asyncIterator]();
  const first = await source.next();
  if (first.done) return;
  const decoder = openDecoder(coding, first.value, false);
  if (decoder === null) throw new TypeError(`encoded as ${coding}`);
  const rest = { [Symbol.asyncIterator]: () => source };
  const body = Readable.from(after(first.value, rest), { objectMode: false });
  body.on("error", (error) => decoder.destroy(error));
  try {
    yield* body.pipe(decoder);
  } finally {
    body.destroy();
    decoder.destroy();
  }
}

async function* after(first: Uint8Array, rest: AsyncIterable<Uint8Array>) {
  yield first;
  yield* rest;
}
