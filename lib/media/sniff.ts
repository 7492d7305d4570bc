import type { ResultFamily } from "../contract/states";
/**
 * The kind of a file, determined by its first bytes only. What a server or a file name says does
 * not count.
 */
export type MediaKind = ResultFamily;

export interface SniffedType {
  readonly kind: MediaKind;
  readonly contentType: string;
  readonly extension: "mp4" | "png" | "jpg" | "webp" | "gif";
  /** Pixels; null for a video. */
  readonly size: { readonly width: number; readonly height: number } | null;
}

const isAt = (head: Buffer, text: string, at: number) =>
  head.toString("latin1", at, at + text.length) === text;

function image(
  extension: Exclude<SniffedType["extension"], "mp4">,
  width: number,
  height: number,
): SniffedType | null {
  const contentType = extension === "jpg" ? "image/jpeg" : `image/${extension}`;
  return width > 0 && height > 0
    ? { kind: "image", contentType, extension, size: { width, height } }
    : null;
}

/** Walks a JPEG's segments to the frame header, which may come after long metadata. */
function sniffJpeg(head: Buffer): SniffedType | null | "more" {
  for (let at = 2; ; ) {
    if (at + 9 > head.length) return "more";
    if (head[at] !== 0xff) return null;
    const marker = head.readUInt8(at + 1);
    if (marker === 0xff) at += 1;
    else if (
      marker >= 0xc0 &&
      marker <= 0xcf &&
      marker !== 0xc4 &&
      marker !== 0xc8 &&
      marker !== 0xcc
    ) {
      return image("jpg", head.readUInt16BE(at + 7), head.readUInt16BE(at + 5));
    } else if (marker === 0xda || marker === 0xd9) return null;
    else at += 2 + head.readUInt16BE(at + 2);
  }
}

function sniffWebp(head: Buffer): SniffedType | null {
  if (isAt(head, "VP8X", 12))
    return image("webp", head.readUIntLE(24, 3) + 1, head.readUIntLE(27, 3) + 1);
  if (isAt(head, "VP8 ", 12) && head.readUIntBE(23, 3) === 0x9d012a) {
    return image("webp", head.readUInt16LE(26) & 0x3fff, head.readUInt16LE(28) & 0x3fff);
  }
  if (isAt(head, "VP8L", 12) && head[20] === 0x2f) {
    const bits = head.readUInt32LE(21);
    return image("webp", (bits & 0x3fff) + 1, ((bits >>> 14) & 0x3fff) + 1);
  }
  return null;
}

/**
 * The kind of a file that starts with `head`; null for a kind that we do not serve, `more` when
 * more bytes are needed.
 */
export function sniff(head: Buffer): SniffedType | null | "more" {
  if (head.length < 32) return "more";
  if (isAt(head, "ftyp", 4))
    return { kind: "video", contentType: "video/mp4", extension: "mp4", size: null };
  if (isAt(head, "\x89PNG\r\n\x1a\n", 0)) {
    return isAt(head, "IHDR", 12)
      ? image("png", head.readUInt32BE(16), head.readUInt32BE(20))
      : null;
  }
  if (head[0] === 0xff && head[1] === 0xd8 && head[2] === 0xff) return sniffJpeg(head);
  if (isAt(head, "GIF87a", 0) || isAt(head, "GIF89a", 0))
    return image("gif", head.readUInt16LE(6), head.readUInt16LE(8));
  if (isAt(head, "RIFF", 0) && isAt(head, "WEBP", 8)) return sniffWebp(head);
  return null;
}
