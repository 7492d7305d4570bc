/** Codes of an authenticator app (RFC 6238): six digits, a new one every 30 seconds. */
import { Secret, TOTP } from "otpauth";
import { derivedKey, joined, parted, seal, unseal } from "../../crypto/seal";
import { type Secrets, withFitting } from "../../crypto/secrets";

const PURPOSE = "relay totp v1";
const PERIOD_SECONDS = 30;
const SECRET_BYTES = 20;
/** Codes of the step before and after are accepted too: clocks differ. */
const WINDOW = 1;

export const newTotpSecret = (): string => new Secret({ size: SECRET_BYTES }).base32;

export const sealTotp = (secret: string, userId: string, totp: string): Uint8Array<ArrayBuffer> =>
  new Uint8Array(joined(seal(derivedKey(secret, PURPOSE), userId, totp)));

/** Null when it was encrypted under another secret, or for another user. */
export function openTotp(secret: string, userId: string, sealed: Uint8Array): string | null {
  try {
    return unseal(derivedKey(secret, PURPOSE), userId, parted(sealed));
  } catch {
    return null;
  }
}

export const fittingTotp = (secrets: Secrets, userId: string, sealed: Uint8Array): string | null =>
  withFitting(secrets, (secret) => openTotp(secret, userId, sealed));

/** The address that an app reads from the picture. */
export const totpUri = (secret: string, issuer: string, label: string): string =>
  new TOTP({ issuer, label, secret: Secret.fromBase32(secret) }).toString();

/** The time step of a code that is right at `now`, else null. Apps show a space in its middle. */
export function stepOfCode(secret: string, code: string, now = Date.now()): bigint | null {
  const delta = TOTP.validate({
    token: code.replace(/\s/g, ""),
    secret: Secret.fromBase32(secret),
    timestamp: now,
    window: WINDOW,
  });
  return delta === null ? null : BigInt(Math.floor(now / 1000 / PERIOD_SECONDS) + delta);
}
