/**
 * The format of an API key: `sk-rly-`, 40 random base62 characters, and the CRC-32 of the text
 * before it as 6 base62 characters. A mistyped key is refused without a look-up, and secret
 * scanners can recognize a real one. A management key begins with `sk-rly-mgmt-` and an operator key
 * with `sk-rly-op-`, so that none can be taken for another. A key that moved here from another relay
 * is `sk-` and letters and digits.
 */
import { hash, randomBytes } from "node:crypto";
import { crc32 } from "node:zlib";

const alphabet = "0123456789ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz";
export const PREFIX = "sk-rly-";
const MANAGEMENT_PREFIX = "sk-rly-mgmt-";
const OPERATOR_PREFIX = "sk-rly-op-";
const BODY_LENGTH = 40;
export const KEY_LENGTH = PREFIX.length + BODY_LENGTH + 6;
export const MANAGEMENT_KEY_LENGTH = MANAGEMENT_PREFIX.length + BODY_LENGTH + 6;
export const OPERATOR_KEY_LENGTH = OPERATOR_PREFIX.length + BODY_LENGTH + 6;
const pattern = /^sk-rly-(mgmt-|op-)?[0-9A-Za-z]{46}$/;
const MOVED_PREFIX = "sk-";
const movedPattern = /^(?:sk-)?([0-9A-Za-z]{16,128})$/;

function checksumOf(text: string): string {
  let rest = crc32(text);
  let digits = "";
  for (let place = 0; place < 6; place++) {
    digits = alphabet[rest % 62] + digits;
    rest = Math.floor(rest / 62);
  }
  return digits;
}

/** Bytes from 248 on are discarded, so that each of the 62 characters is equally likely. */
function makeText(prefix: string): string {
  let text = prefix;
  while (text.length < prefix.length + BODY_LENGTH) {
    for (const byte of randomBytes(64)) {
      if (byte < 248 && text.length < prefix.length + BODY_LENGTH) text += alphabet[byte % 62];
    }
  }
  return text + checksumOf(text);
}

/** Creates an API key. */
export const makeKeyText = (): string => makeText(PREFIX);

export const makeManagementKeyText = (): string => makeText(MANAGEMENT_PREFIX);

/** Creates an operator key. */
export const makeOperatorKeyText = (): string => makeText(OPERATOR_PREFIX);

const isWhole = (text: string): boolean =>
  pattern.test(text) && checksumOf(text.slice(0, -6)) === text.slice(-6);

/** True when prefix, length, characters and checksum are those of an API key. */
export const isKeyText = (text: string): boolean => text.length === KEY_LENGTH && isWhole(text);

/** As `isKeyText`, for a management key. */
export const isManagementKeyText = (text: string): boolean =>
  text.length === MANAGEMENT_KEY_LENGTH && isWhole(text);

/** As `isKeyText`, for an operator key. */
export const isOperatorKeyText = (text: string): boolean =>
  text.length === OPERATOR_KEY_LENGTH && isWhole(text);

/**
 * The text under which a key of another relay is stored, with or without the prefix that clients may
 * leave out; null for a text that is none.
 */
export function movedKeyText(text: string): string | null {
  const body = movedPattern.exec(text)?.[1];
  return body === undefined ? null : MOVED_PREFIX + body;
}

/** SHA-256 of the whole key, in base64. Keys are looked up by nothing else. */
export function hashKeyText(text: string): string {
  return hash("sha256", text, "base64");
}

/** The prefix, the first 5 and the last 4 characters. */
export function keyHint(text: string): string {
  const kinds = [MANAGEMENT_PREFIX, OPERATOR_PREFIX];
  const own = text.startsWith(PREFIX) ? PREFIX : MOVED_PREFIX;
  const prefix = kinds.find((kind) => text.startsWith(kind)) ?? own;
  return `${text.slice(0, prefix.length + 5)}…${text.slice(-4)}`;
}
