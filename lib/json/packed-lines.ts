/**
 * The lines of a packed text, split at line feeds only: other characters that count as line ends
 * elsewhere may be part of a line.
 */
import { pipeline, Readable } from "node:stream";
import { createGunzip } from "node:zlib";

/** Both streams end when either fails, or when the reader stops. */
const unpacked = (packed: AsyncIterable<Uint8Array>): AsyncIterable<Buffer> =>
  pipeline(Readable.from(packed), createGunzip(), () => {});

/** Only the lines with a text, which is much faster: no other line becomes a string. */
export async function* packedLinesWith(
  packed: AsyncIterable<Uint8Array>,
  text: string,
): AsyncGenerator<string> {
  const wanted = Buffer.from(text);
  let rest = Buffer.alloc(0);
  for await (const part of unpacked(packed)) {
    const block = Buffer.concat([rest, part]);
    const whole = block.lastIndexOf(10) + 1;
    for (let at = block.indexOf(wanted); at !== -1 && at < whole; ) {
      const end = block.indexOf(10, at);
      yield block.toString("utf8", block.lastIndexOf(10, at) + 1, end);
      at = block.indexOf(wanted, end);
    }
    rest = block.subarray(whole);
  }
  if (rest.includes(wanted)) yield rest.toString("utf8");
}

export async function* packedLines(packed: AsyncIterable<Uint8Array>): AsyncGenerator<string> {
  let rest = Buffer.alloc(0);
  for await (const part of unpacked(packed)) {
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
