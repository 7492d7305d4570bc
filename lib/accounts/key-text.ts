/**
 * The format of an API key: `sk-rly-`, 40 random base62 characters, and the CRC-32 of the text
 * before it as 6 base62 characters. A mistyped key is refused without a look-up, and secret
 * scanners can recognize a real one.
 */
import { hash, randomBytes } from "node:crypto";
import { crc32 } from "node:zlib";

const alphabet = "0123456789ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz";
const PREFIX = "sk-rly-";
const BODY_LENGTH = 40;
export const KEY_LENGTH = PREFIX.length + BODY_LENGTH + 6;
const pattern = /^sk-rly-[0-9A-Za-z]{46}$/;

function checksumOf(text: string): string {
  let rest = crc32(text);
  let digits = "";
  for (let place = 0; place < 6; place++) {
    digits = alphabet[rest % 62] + digits;
    rest = Math.floor(rest / 62);
  }
  return digits;
}

/**
 * Creates a key. Bytes from 248 on are discarded, so that each of the 62 characters is equally
 * likely.
 */
export function makeKeyText(): string {
  let text = PREFIX;
  while (text.length < PREFIX.length + BODY_LENGTH) {
    for (const byte of randomBytes(64)) {
      if (byte < 248 && text.length < PREFIX.length + BODY_LENGTH) text += alphabet[byte % 62];
    }
  }
  return text + checksumOf(text);
}

/** True when prefix, length, characters and checksum are those of a key. */
export function isKeyText(text: string): boolean {
  return (
    text.length === KEY_LENGTH &&
    pattern.test(text) &&
    checksumOf(text.slice(0, -6)) === text.slice(-6)
  );
}

/** SHA-256 of the whole key, in base64. Keys are looked up by nothing else. */
export function hashKeyText(text: string): string {
  return hash("sha256", text, "base64");
}

/** The first 12 and the last 4 characters. */
export function keyHint(text: string): string {
  return `${text.slice(0, 12)}…${text.slice(-4)}`;
}
