/**
 * The lines of a packed text, split at line feeds only: other characters that count as line ends
 * elsewhere may be part of a line.
 */
import { pipeline, Readable } from "node:stream";
import { createGunzip } from "node:zlib";

export async function* packedLines(packed: AsyncIterable<Uint8Array>): AsyncGenerator<string> {
  // It ends both streams when either fails, or when nobody reads on.
  const unpacked = pipeline(Readable.from(packed), createGunzip(), () => {});
  const parts: AsyncIterable<Buffer> = unpacked;
  let rest = Buffer.alloc(0);
  for await (const part of parts) {
    const text = Buffer.concat([rest, part]);
    let from = 0;
    for (let at = text.indexOf(10); at !== -1; at = text.indexOf(10, from)) {
      yield text.toString("utf8", from, at);
      from = at + 1;
    }
    rest = text.subarray(from);
  }
  if (rest.length > 0) yield rest.toString("utf8");
}
