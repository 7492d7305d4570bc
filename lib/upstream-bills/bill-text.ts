/** The text of a bill's file, in the encodings that programs write tables in. Pure. */
import { invalidValue } from "../failures/relay-error";

const unreadable = () =>
  invalidValue(
    "file",
    "The bill is neither UTF-8, nor UTF-16 with a byte order mark, nor GB18030: save it as UTF-8.",
  );

/** Throws `invalid_value` for a text with a NUL, or with the replacement character of bytes that could not be decoded. */
export function assertText(text: string): void {
  const [names = ""] = /^[^\n]{0,10000}/.exec(text) ?? [];
  if (text.includes("\0") || names.includes("\uFFFD")) throw unreadable();
}

/** Null where it is in another encoding. */
function decoded(encoding: string, bytes: Uint8Array): string | null {
  try {
    return new TextDecoder(encoding, { fatal: true }).decode(bytes);
  } catch {
    return null;
  }
}

const FOUR_BYTES = [0x30, 0x39] as const;

/**
 * Whether most of what is no ASCII are the usual Chinese characters, whose bytes are both above 0xa0. Those
 * of Western encodings, which are read as some characters too, stand between ASCII letters.
 */
function isChinese(bytes: Uint8Array): boolean {
  let [usual, others] = [0, 0];
  for (let at = 0; at < bytes.length; at++) {
    const [first = 0, second = 0] = [bytes[at], bytes[at + 1]];
    if (first < 0x80) continue;
    if (first > 0xa0 && second > 0xa0) usual++;
    else others++;
    at += second >= FOUR_BYTES[0] && second <= FOUR_BYTES[1] ? 3 : 1;
  }
  return usual >= others;
}

function decodedByMark(bytes: Uint8Array): string | null {
  const [first, second] = bytes;
  if (first === 0xff && second === 0xfe) return decoded("utf-16le", bytes);
  if (first === 0xfe && second === 0xff) return decoded("utf-16be", bytes);
  return decoded("utf-8", bytes) ?? (isChinese(bytes) ? decoded("gb18030", bytes) : null);
}

/** Throws `invalid_value` for any other encoding, and for what is no text. */
export function billText(bytes: Uint8Array): string {
  const text = decodedByMark(bytes);
  if (text === null) throw unreadable();
  assertText(text);
  return text;
}
