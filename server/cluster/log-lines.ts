/** Joins the output of several processes to one: only whole lines, so that none is torn. */
import type { Readable, Writable } from "node:stream";

/** A line that is longer is cut into several. */
const LINE_BYTES_MAX = 1024 * 1024;
const NEWLINE = 10;
const lineEnd = Buffer.from([NEWLINE]);

/** Where a character of UTF-8 ends, at most at `bytes`: a line is never cut within one. */
function characterEnd(text: Buffer, bytes: number): number {
  let end = bytes;
  while (end > bytes - 3 && ((text[end] ?? 0) & 0b1100_0000) === 0b1000_0000) end--;
  return end;
}

/**
 * Copies `from` to `to` line by line. What is copied always ends a line: otherwise the next line of
 * another process would be joined to it.
 */
export function copyLines(from: Readable, to: Writable): void {
  let begun: Buffer[] = [];
  let bytes = 0;
  const keep = (part: Buffer) => {
    if (part.length > 0) begun.push(part);
    bytes += part.length;
  };
  const take = (): Buffer => {
    const taken = Buffer.concat(begun);
    begun = [];
    bytes = 0;
    return taken;
  };
  const cut = () => {
    const text = take();
    const end = characterEnd(text, LINE_BYTES_MAX);
    to.write(Buffer.concat([text.subarray(0, end), lineEnd]));
    keep(text.subarray(end));
  };
  // A process that was killed has not ended its last line.
  const flush = () => {
    if (bytes > 0) to.write(Buffer.concat([take(), lineEnd]));
  };
  from.on("data", (part: Buffer) => {
    const end = part.lastIndexOf(NEWLINE) + 1;
    if (end > 0) {
      keep(part.subarray(0, end));
      to.write(take());
    }
    keep(part.subarray(end));
    while (bytes > LINE_BYTES_MAX) cut();
  });
  from.once("end", flush);
  from.on("error", flush);
}
