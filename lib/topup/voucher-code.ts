import { createHash, randomBytes } from "node:crypto";
import { RelayError } from "../failures/relay-error";

const alphabet = "0123456789ABCDEFGHJKMNPQRSTVWXYZ";

/** Creates a code of 80 random bits: `RLY-XXXX-XXXX-XXXX-XXXX` in Crockford's base 32. */
export function makeVoucherCode(): string {
  let text = "";
  for (const byte of randomBytes(16)) text += alphabet[byte & 31];
  return `RLY-${text.match(/.{4}/g)?.join("-")}`;
}

/** Ignores case, spaces and hyphens, and reads letters that look like digits as digits. */
export function hashVoucherCode(code: string): Uint8Array<ArrayBuffer> {
  const plain = code
    .toUpperCase()
    .replace(/[\s-]/g, "")
    .replace(/^RLY/, "")
    .replace(/O/g, "0")
    .replace(/[IL]/g, "1");
  return new Uint8Array(createHash("sha256").update(plain).digest());
}

/** The error for a batch that does not exist. */
export const noSuchBatch = (id: string) =>
  new RelayError("not_found", { message: `There is no batch ${id}.` });
