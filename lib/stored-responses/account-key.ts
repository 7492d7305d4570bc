/** The key of an account's stored responses, encrypted under the installation's secret. */
import { derivedKey, joined, newKey, parted, seal, unseal } from "../crypto/seal";
import { type Secrets, withFitting } from "../crypto/secrets";

const PURPOSE = "relay stored responses v1";

export function sealKey(secret: string, accountId: string, key: Buffer): Buffer {
  return joined(seal(derivedKey(secret, PURPOSE), accountId, key.toString("base64")));
}

/** Null when the key was encrypted under another secret, or for another account. */
export function openKey(secret: string, accountId: string, sealed: Uint8Array): Buffer | null {
  try {
    return Buffer.from(unseal(derivedKey(secret, PURPOSE), accountId, parted(sealed)), "base64");
  } catch {
    return null;
  }
}

/** Null when no accepted secret fits. */
export const fittingKey = (
  secrets: Secrets,
  accountId: string,
  sealed: Uint8Array,
): Buffer | null => withFitting(secrets, (secret) => openKey(secret, accountId, sealed));

export const newSealedKey = (secrets: Secrets, accountId: string) => {
  const key = newKey();
  return { key, sealed: sealKey(secrets.current, accountId, key) };
};
