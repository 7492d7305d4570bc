/** Upstream credentials at rest, each bound to its channel's id. */
import { derivedKey, seal, unseal } from "../crypto/seal";

const PURPOSE = "relay channel credential v1";

export interface SealedCredential {
  readonly credential: Uint8Array<ArrayBuffer>;
  readonly credentialNonce: Uint8Array<ArrayBuffer>;
}

export function sealCredential(
  secret: string,
  channelId: string,
  credential: string,
): SealedCredential {
  const { bytes, nonce } = seal(derivedKey(secret, PURPOSE), channelId, credential);
  return { credential: bytes, credentialNonce: nonce };
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
  const { credential: bytes, credentialNonce: nonce } = sealed;
  return unseal(derivedKey(secret, PURPOSE), channelId, { bytes, nonce });
}
