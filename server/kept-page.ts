/** A public page as bytes: rendered once, compressed once, with a nonce of its own in each answer. */
import { randomBytes } from "node:crypto";
import type { IncomingMessage, ServerResponse } from "node:http";
import { constants, crc32, deflateRawSync } from "node:zlib";
import type { Rendered } from "./rendered";

export interface KeptPage {
  /** What one answer needs of memory, at most. */
  readonly bytes: number;
  /** Whether others may get it too. */
  readonly isForAll: boolean;
  answer(request: IncomingMessage, response: ServerResponse): void;
}

/** The two forms in which a page leaves, cut where its nonce stands. */
interface Pieces {
  readonly plain: readonly Buffer[];
  readonly packed: readonly Buffer[];
}

/** Of every new nonce, as `proxy.ts` makes them. */
const NONCE_BYTES = 16;
const NONCE = /'nonce-([^']{1,100})'/;
const POLICY = "content-security-policy";
/** Belong to one connection or to one form of the body. */
const perAnswer = ["connection", "keep-alive", "date", "transfer-encoding", "content-length"];
/** RFC 1952: deflate, no name, no time, an unknown system. */
const GZIP_HEAD = Buffer.from([0x1f, 0x8b, 8, 0, 0, 0, 0, 0, 0, 0xff]);
/** RFC 1951: an empty last block. */
const DEFLATE_END = Buffer.from([3, 0]);

/** Each piece is compressed by itself and ends at a whole byte, so that a nonce fits in between. */
const pack = (piece: Buffer) =>
  deflateRawSync(piece, { level: 6, finishFlush: constants.Z_SYNC_FLUSH });

/** RFC 1951: a block that is not compressed and not the last. */
function stored(bytes: Buffer): Buffer {
  const head = Buffer.alloc(5);
  head.writeUInt16LE(bytes.length, 1);
  head.writeUInt16LE(0xffff - bytes.length, 3);
  return Buffer.concat([head, bytes]);
}

function cut(body: Buffer, nonce: string | undefined): Buffer[] {
  const pieces: Buffer[] = [];
  let from = 0;
  for (let at = 0; nonce !== undefined; from = at + nonce.length) {
    at = body.indexOf(nonce, from);
    if (at === -1) break;
    pieces.push(body.subarray(from, at));
  }
  return [...pieces, body.subarray(from)];
}

const between = (pieces: readonly Buffer[], filling: Buffer) =>
  pieces.flatMap((piece, index) => (index === 0 ? [piece] : [filling, piece]));

function gzipped({ plain, packed }: Pieces, nonce: Buffer): Buffer[] {
  let sum = 0;
  let length = 0;
  for (const part of between(plain, nonce)) {
    sum = crc32(part, sum);
    length += part.length;
  }
  const end = Buffer.alloc(8);
  end.writeUInt32LE(sum, 0);
  end.writeUInt32LE(length, 4);
  return [GZIP_HEAD, ...between(packed, stored(nonce)), DEFLATE_END, end];
}

const isText = (type: unknown) =>
  typeof type === "string" && /^(?:text\/|application\/(?:json|xml|atom\+xml|manifest))/.test(type);
const takesGzip = (accepted: unknown) =>
  typeof accepted === "string" && /\bgzip\b(?!\s*;\s*q=0(?:\.0*)?(?:,|\s|$))/.test(accepted);

const isSame = (known: string | undefined, etag: unknown) =>
  typeof etag === "string" &&
  (known ?? "").split(",").some((each) => each.trim().replace(/^W\//, "") === etag);

export function keptPage({ status, headers, body }: Rendered): KeptPage {
  const policy = headers[POLICY];
  const nonce = typeof policy === "string" ? NONCE.exec(policy)?.[1] : undefined;
  const plain = cut(body, nonce);
  const canBePacked = isText(headers["content-type"]) && headers["content-encoding"] === undefined;
  const packed = canBePacked ? plain.map(pack) : [];
  const fixed = Object.entries(headers).filter(([name]) => !perAnswer.includes(name));
  const isForAll = (status === 200 || status === 404) && headers["set-cookie"] === undefined;
  return {
    isForAll,
    bytes: [...plain, ...packed].reduce((sum, { length }) => sum + length, 0),
    answer(request, response) {
      const own = randomBytes(NONCE_BYTES).toString("base64");
      for (const [name, value] of fixed) {
        if (value === undefined) continue;
        // The policy has it, and the links to what is loaded first.
        const isCut = typeof value === "string" && nonce !== undefined;
        response.setHeader(name, isCut ? value.replaceAll(nonce, own) : value);
      }
      if (status === 200 && isSame(request.headers["if-none-match"], headers.etag)) {
        response.writeHead(304).end();
        return;
      }
      const isPacked = packed.length > 0 && takesGzip(request.headers["accept-encoding"]);
      const parts = isPacked
        ? gzipped({ plain, packed }, Buffer.from(own))
        : between(plain, Buffer.from(own));
      if (canBePacked) response.setHeader("vary", joined(headers.vary, "accept-encoding"));
      if (isPacked) response.setHeader("content-encoding", "gzip");
      response.setHeader(
        "content-length",
        parts.reduce((sum, { length }) => sum + length, 0),
      );
      response.writeHead(status);
      // The parts are shared by all answers: a client that reads slowly keeps no copy of them.
      response.cork();
      for (const part of parts) response.write(part);
      response.end();
      response.uncork();
    },
  };
}

/** `Vary` with one name more. */
function joined(vary: unknown, name: string): string {
  const names = typeof vary === "string" ? vary.split(/,\s*/) : [];
  return names.some((each) => each.toLowerCase() === name)
    ? names.join(", ")
    : [...names, name].join(", ");
}
