/** A request's body with its encoded images: sent piece by piece, so that none is copied at once. */
import { Readable } from "node:stream";
import type { InlineImages } from "../../json/inline-images";

interface SplicedBody {
  readonly headers: string[];
  readonly body: string | Readable;
}

/** `headers`: names and values, alternating. */
export function splicedBody(
  text: string,
  images: InlineImages | undefined,
  headers: string[],
): SplicedBody {
  if (images === undefined) return { headers, body: text };
  const { byteLength, pieces } = images.spliceInto(text);
  return {
    headers: [...headers, "content-length", String(byteLength)],
    body: Readable.from(pieces, { objectMode: false }),
  };
}
