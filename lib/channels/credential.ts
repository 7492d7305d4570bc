/** Upstream credentials at rest, each bound to its channel's id. */
import { NONCE_BYTES, openedFor, sealedFor } from "../crypto/seal";

export const CREDENTIAL_PURPOSE = "relay channel credential v1";

export interface SealedCredential {
  readonly credential: Uint8Array<ArrayBuffer>;
  readonly credentialNonce: Uint8Array<ArrayBuffer>;
}

export function sealCredential(
  secret: string,
  channelId: string,
  credential: string,
): SealedCredential {
  const sealed = sealedFor(secret, CREDENTIAL_PURPOSE, channelId, credential);
  return { credential: sealed.slice(NONCE_BYTES), credentialNonce: sealed.slice(0, NONCE_BYTES) };
}

/** Null when the secret is wrong, or when it was sealed for another channel or changed. */
export const unsealCredential = (
  secret: string,
  channelId: string,
  { credential, credentialNonce }: { credential: Uint8Array; credentialNonce: Uint8Array },
): string | null =>
  openedFor(secret, CREDENTIAL_PURPOSE, channelId, Buffer.concat([credentialNonce, credential]));
