/** Builds the bytes of requests, which are built once and sent many times. */
import type { Target } from "./wire";

export const MEBIBYTE = 1024 * 1024;
const PIECE_BYTES = 256 * 1024;

export type Headers = Readonly<Record<string, string>>;

/** The head of a request. `length` null leaves out the length. */
export function head(
  target: Target,
  method: string,
  path: string,
  headers: Headers,
  length: number | null,
): Buffer {
  const lines = Object.entries({
    host: target.authority,
    ...headers,
    ...(length === null ? {} : { "content-length": String(length) }),
  }).map(([name, value]) => `${name}: ${value}`);
  return Buffer.from(`${method} ${path} HTTP/1.1\r\n${lines.join("\r\n")}\r\n\r\n`, "latin1");
}

export const JSON_HEADERS: Headers = { "content-type": "application/json" };

/** A complete request with a JSON body, or without a body. */
export function request(
  target: Target,
  method: string,
  path: string,
  headers: Headers,
  body?: unknown,
): Buffer {
  if (body === undefined) return head(target, method, path, headers, null);
  const bytes = Buffer.from(typeof body === "string" ? body : JSON.stringify(body));
  return Buffer.concat([
    head(target, method, path, { ...JSON_HEADERS, ...headers }, bytes.length),
    bytes,
  ]);
}

/**
 * `before`, then as many `unit`s separated by commas as fit into `bytes`, then `after`. `unit` gets
 * its index.
 */
export function filled(
  before: string,
  unit: (index: number) => string,
  after: string,
  bytes: number,
): Buffer[] {
  const pieces: Buffer[] = [Buffer.from(before)];
  let left = bytes - Buffer.byteLength(before) - Buffer.byteLength(after);
  let text = "";
  for (let index = 0; ; index++) {
    const next = (index === 0 ? "" : ",") + unit(index);
    left -= Buffer.byteLength(next);
    if (left < 0) break;
    text += next;
    if (text.length < PIECE_BYTES) continue;
    pieces.push(Buffer.from(text));
    text = "";
  }
  pieces.push(Buffer.from(text + after));
  return pieces;
}

/** `unit` repeated between two texts: one buffer that is sent many times. */
export function repeated(before: string, unit: string, after: string, bytes: number): Buffer[] {
  const count = Math.max(
    0,
    Math.floor(
      (bytes - Buffer.byteLength(before) - Buffer.byteLength(after)) / Buffer.byteLength(unit),
    ),
  );
  const inPiece = Math.max(1, Math.floor(PIECE_BYTES / Buffer.byteLength(unit)));
  const piece = Buffer.from(unit.repeat(Math.min(inPiece, count)));
  const whole = Math.floor(count / inPiece);
  return [
    Buffer.from(before),
    ...new Array<Buffer>(whole).fill(piece),
    Buffer.from(unit.repeat(count - whole * inPiece) + after),
  ];
}

export const bytesOf = (pieces: readonly Buffer[]) =>
  pieces.reduce((sum, { length }) => sum + length, 0);

/** The same bytes in chunked encoding. */
export function chunked(pieces: readonly Buffer[]): Buffer[] {
  const chunks = pieces
    .filter(({ length }) => length > 0)
    .flatMap((piece) => [
      Buffer.from(`${piece.length.toString(16)}\r\n`),
      piece,
      Buffer.from("\r\n"),
    ]);
  return [...chunks, Buffer.from("0\r\n\r\n")];
}
