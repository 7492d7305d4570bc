/**
 * Values encrypted at rest: AES-256-GCM, each with a nonce of its own, and bound to what it belongs
 * to, so that a value cannot be moved to another row.
 */
import { createCipheriv, createDecipheriv, hkdfSync, randomBytes } from "node:crypto";

const KEY_BYTES = 32;
const TAG_BYTES = 16;
const NONCE_BYTES = 12;

export interface Sealed {
  readonly bytes: Uint8Array<ArrayBuffer>;
  readonly nonce: Uint8Array<ArrayBuffer>;
}

/** The key for one purpose, derived from the installation's secret. */
export const derivedKey = (secret: string, purpose: string): Buffer =>
  Buffer.from(hkdfSync("sha256", secret, "", purpose, KEY_BYTES));

/** A key that is derived from nothing. */
export const newKey = (): Buffer => randomBytes(KEY_BYTES);

export function seal(key: Uint8Array, boundTo: string, text: string): Sealed {
  const nonce = randomBytes(NONCE_BYTES);
  const cipher = createCipheriv("aes-256-gcm", key, nonce, { authTagLength: TAG_BYTES });
  cipher.setAAD(Buffer.from(boundTo));
  const sealed = Buffer.concat([cipher.update(text, "utf8"), cipher.final(), cipher.getAuthTag()]);
  return { bytes: new Uint8Array(sealed), nonce: new Uint8Array(nonce) };
}

/** Throws when the key is wrong, or when the value was bound to something else or changed. */
export function unseal(
  key: Uint8Array,
  boundTo: string,
  { bytes, nonce }: { readonly bytes: Uint8Array; readonly nonce: Uint8Array },
): string {
  const decipher = createDecipheriv("aes-256-gcm", key, nonce, { authTagLength: TAG_BYTES });
  decipher.setAAD(Buffer.from(boundTo));
  decipher.setAuthTag(bytes.subarray(-TAG_BYTES));
  return decipher.update(bytes.subarray(0, -TAG_BYTES), undefined, "utf8") + decipher.final("utf8");
}

/** A sealed value in one piece: the nonce, then the rest. */
export const joined = ({ bytes, nonce }: Sealed): Buffer => Buffer.concat([nonce, bytes]);

export const parted = (whole: Uint8Array): { bytes: Uint8Array; nonce: Uint8Array } => ({
  bytes: whole.subarray(NONCE_BYTES),
  nonce: whole.subarray(0, NONCE_BYTES),
});
