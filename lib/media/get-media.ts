/** `GET /v1/media/{file}`: a result, or a range of it, for anyone who has its signed address. */

import { RelayError } from "../failures/relay-error";
import { byteRangeOf } from "../http/byte-range";
import type { Outgoing } from "../http/exchange";
import type { Call } from "../http/serve";
import { BlobMissing } from "./blob-store";
import type { MediaLinks } from "./media-link";
import type { MediaStore } from "./media-store";

export interface GetMediaDeps {
  readonly media: MediaStore;
  readonly links: MediaLinks;
  readonly clock?: () => Date;
}

const filePattern = /^media_[0-9a-z]{26}\.(mp4|png|jpg|webp|gif)$/;
/** Lets a browser show the file, and nothing else. */
const contentSecurityPolicy =
  "default-src 'none'; img-src 'self'; media-src 'self'; style-src 'unsafe-inline'; sandbox";

async function* nothing(): AsyncGenerator<Uint8Array> {}

const expired = () => new RelayError("media_link_expired");

/** A call without a principal: anyone who has the address may make it. */
type PublicCall = Omit<Call, "row" | "principal">;

/** A stored file, or the range of it that the request asks for. Throws when it is removed. */
export async function sendFile(
  media: MediaStore,
  file: string,
  { incoming, headers }: Pick<Call, "incoming" | "headers">,
): Promise<Outgoing> {
  const found = await media.find(file);
  if (!found) throw new RelayError("not_found");
  if (found.isRemoved) throw expired();
  const etag = `"${file}"`;
  const ifRange = incoming.header("if-range");
  const range =
    ifRange === undefined || ifRange === etag
      ? byteRangeOf(incoming.header("range"), found.bytes)
      : null;
  const { start, end } = range ?? { start: 0, end: found.bytes };
  const isHead = incoming.method === "HEAD";
  const body = isHead
    ? nothing()
    : await media.read(file, start, end).catch((error: unknown) => {
        throw error instanceof BlobMissing ? expired() : error;
      });
  Object.assign(headers, {
    "content-type": found.contentType,
    "content-length": String(end - start),
    "accept-ranges": "bytes",
    "content-disposition": `inline; filename="${file}"`,
    "content-security-policy": contentSecurityPolicy,
    "x-content-type-options": "nosniff",
    "cache-control": "private, no-transform",
    etag,
  });
  if (range) headers["content-range"] = `bytes ${start}-${end - 1}/${found.bytes}`;
  return { status: range ? 206 : 200, headers, body };
}

export function createGetMedia({
  media,
  links,
  clock = () => new Date(),
}: GetMediaDeps): (call: PublicCall) => Promise<Outgoing> {
  return async (call) => {
    const { incoming, parameter: file } = call;
    const worth = filePattern.test(file) ? links.check(file, incoming.query, clock()) : "forged";
    if (worth === "forged") throw new RelayError("media_link_invalid");
    if (worth === "expired") throw expired();
    return sendFile(media, file, call);
  };
}
