/** Joins the output of several processes to one: only whole lines, so that none is torn. */
import type { Readable, Writable } from "node:stream";

/** A longer line is passed on in pieces. */
const LINE_BYTES_MAX = 1024 * 1024;
const NEWLINE = 10;

/** Copies `from` to `to` line by line. The last line is copied when `from` ends, as it is. */
export function copyLines(from: Readable, to: Writable): void {
  let begun: Buffer[] = [];
  let bytes = 0;
  const flush = () => {
    if (bytes > 0) to.write(Buffer.concat(begun));
    begun = [];
    bytes = 0;
  };
  from.on("data", (part: Buffer) => {
    const end = part.lastIndexOf(NEWLINE) + 1;
    if (end > 0) {
      begun.push(part.subarray(0, end));
      bytes += end;
      flush();
    }
    if (end < part.length) {
      begun.push(part.subarray(end));
      bytes += part.length - end;
      if (bytes > LINE_BYTES_MAX) flush();
    }
  });
  from.once("end", flush);
  from.on("error", flush);
}
