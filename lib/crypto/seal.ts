/**
 * Values encrypted at rest: AES-256-GCM, each with a nonce of its own, and bound to what it belongs
 * to, so that a value cannot be moved to another row.
 */
import { createCipheriv, createDecipheriv, hkdfSync, randomBytes } from "node:crypto";

const KEY_BYTES = 32;
const TAG_BYTES = 16;
export const NONCE_BYTES = 12;

/** The key for one purpose, derived from the installation's secret. */
export const derivedKey = (secret: string, purpose: string): Buffer =>
  Buffer.from(hkdfSync("sha256", secret, "", purpose, KEY_BYTES));

/** A key that is derived from nothing. */
export const newKey = (): Buffer => randomBytes(KEY_BYTES);

/** The nonce, then the encrypted text. */
export function seal(key: Uint8Array, boundTo: string, text: string): Buffer {
  const nonce = randomBytes(NONCE_BYTES);
  const cipher = createCipheriv("aes-256-gcm", key, nonce, { authTagLength: TAG_BYTES });
  cipher.setAAD(Buffer.from(boundTo));
  return Buffer.concat([nonce, cipher.update(text, "utf8"), cipher.final(), cipher.getAuthTag()]);
}

/** Throws when the key is wrong, or when the value was bound to something else or changed. */
export function unseal(key: Uint8Array, boundTo: string, sealed: Uint8Array): string {
  const nonce = sealed.subarray(0, NONCE_BYTES);
  const decipher = createDecipheriv("aes-256-gcm", key, nonce, { authTagLength: TAG_BYTES });
  decipher.setAAD(Buffer.from(boundTo));
  decipher.setAuthTag(sealed.subarray(-TAG_BYTES));
  const text = decipher.update(sealed.subarray(NONCE_BYTES, -TAG_BYTES), undefined, "utf8");
  return text + decipher.final("utf8");
}

/** `text` under the installation's secret. */
export const sealedFor = (
  secret: string,
  purpose: string,
  boundTo: string,
  text: string,
): Uint8Array<ArrayBuffer> => new Uint8Array(seal(derivedKey(secret, purpose), boundTo, text));

/** What `sealedFor` encrypted; null for another secret or purpose, or what it was not bound to. */
export function openedFor(
  secret: string,
  purpose: string,
  boundTo: string,
  sealed: Uint8Array,
): string | null {
  try {
    return unseal(derivedKey(secret, purpose), boundTo, sealed);
  } catch {
    return null;
  }
}
