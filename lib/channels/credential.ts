/**
 * Encrypts upstream credentials at rest: AES-256-GCM under a key derived from the installation's
 * secret, bound to the channel's id.
 */
import { createCipheriv, createDecipheriv, hkdfSync, randomBytes } from "node:crypto";

const TAG_BYTES = 16;

export interface SealedCredential {
  readonly credential: Uint8Array<ArrayBuffer>;
  readonly credentialNonce: Uint8Array<ArrayBuffer>;
}

function sealingKey(secret: string): Buffer {
  return Buffer.from(hkdfSync("sha256", secret, "", "relay channel credential v1", 32));
}

export function sealCredential(
  secret: string,
  channelId: string,
  credential: string,
): SealedCredential {
  const nonce = randomBytes(12);
  const cipher = createCipheriv("aes-256-gcm", sealingKey(secret), nonce, {
    authTagLength: TAG_BYTES,
  });
  cipher.setAAD(Buffer.from(channelId));
  const sealed = Buffer.concat([
    cipher.update(credential, "utf8"),
    cipher.final(),
    cipher.getAuthTag(),
  ]);
  return { credential: new Uint8Array(sealed), credentialNonce: new Uint8Array(nonce) };
}

/**
 * Throws when the secret is wrong, or when the credential was sealed for another channel or
 * changed.
 */
export function unsealCredential(
  secret: string,
  channelId: string,
  sealed: { credential: Uint8Array; credentialNonce: Uint8Array },
): string {
  const decipher = createDecipheriv("aes-256-gcm", sealingKey(secret), sealed.credentialNonce, {
    authTagLength: TAG_BYTES,
  });
  decipher.setAAD(Buffer.from(channelId));
  decipher.setAuthTag(sealed.credential.subarray(-TAG_BYTES));
  return (
    decipher.update(sealed.credential.subarray(0, -TAG_BYTES), undefined, "utf8") +
    decipher.final("utf8")
  );
}
