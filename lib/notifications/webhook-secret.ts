/** The secrets that sign webhooks: random, shown once, and encrypted in the database. */
import { randomBytes } from "node:crypto";
import { derivedKey, joined, parted, seal, unseal } from "../crypto/seal";
import { type Secrets, withFitting } from "../crypto/secrets";

const PURPOSE = "relay webhook v1";
const SECRET_BYTES = 32;

export const newWebhookSecret = (): string =>
  `whsec_${randomBytes(SECRET_BYTES).toString("base64")}`;

export const sealWebhookSecret = (
  secret: string,
  endpointId: string,
  text: string,
): Uint8Array<ArrayBuffer> =>
  new Uint8Array(joined(seal(derivedKey(secret, PURPOSE), endpointId, text)));

/** Null when it was encrypted under another secret, or for another endpoint. */
export function openWebhookSecret(
  secret: string,
  endpointId: string,
  sealed: Uint8Array,
): string | null {
  try {
    return unseal(derivedKey(secret, PURPOSE), endpointId, parted(sealed));
  } catch {
    return null;
  }
}

export const fittingWebhookSecret = (
  secrets: Secrets,
  endpointId: string,
  sealed: Uint8Array,
): string | null => withFitting(secrets, (secret) => openWebhookSecret(secret, endpointId, sealed));
