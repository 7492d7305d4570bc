import { RelayError } from "../failures/relay-error";

/** From `start` up to, and not including, `end`. */
export type ByteRange = { readonly start: number; readonly end: number };

/**
 * The range that a `Range` header asks for; null when the whole file is to be sent. Throws
 * `range_not_satisfiable`.
 */
export function byteRangeOf(header: string | undefined, bytes: number): ByteRange | null {
  const [, from, to] = /^bytes=(\d{0,15})-(\d{0,15})$/.exec(header?.trim() ?? "") ?? [];
  if (from === undefined || to === undefined || (from === "" && to === "")) return null;
  const start = from === "" ? Math.max(0, bytes - Number(to)) : Number(from);
  const end = from === "" || to === "" ? bytes : Math.min(bytes, Number(to) + 1);
  if (from !== "" && to !== "" && Number(to) < Number(from)) return null;
  if (start >= end) {
    const message = `The file has ${bytes} bytes; the requested range is outside it.`;
    throw new RelayError("range_not_satisfiable", {
      message,
      headers: { "content-range": `bytes */${bytes}` },
    });
  }
  return { start, end };
}
