/** The types of images that a file may have, known by its first bytes alone. */
export const IMAGE_HEAD_BYTES = 12;

const startsWith = (head: Uint8Array, text: string, at = 0): boolean =>
  Buffer.from(head.buffer, head.byteOffset, head.byteLength).toString(
    "latin1",
    at,
    at + text.length,
  ) === text;

/** The type in `data:image/<type>`; null for a file of another kind, or one that is too short. */
export function imageTypeOf(head: Uint8Array): "png" | "jpeg" | "webp" | null {
  if (head.length < IMAGE_HEAD_BYTES) return null;
  if (startsWith(head, "\x89PNG\r\n\x1a\n")) return "png";
  if (startsWith(head, "\xff\xd8\xff")) return "jpeg";
  return startsWith(head, "RIFF") && startsWith(head, "WEBP", 8) ? "webp" : null;
}
