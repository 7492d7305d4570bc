/** Codes of an authenticator app (RFC 6238): six digits, a new one every 30 seconds. */
import { Secret, TOTP } from "otpauth";
import { openedFor, sealedFor } from "../../crypto/seal";
import { type Secrets, withFitting } from "../../crypto/secrets";
import type { SealedKind } from "../../db/reseal";

const PURPOSE = "relay totp v1";
const PERIOD_SECONDS = 30;
const SECRET_BYTES = 20;
/** Codes of the step before and after are accepted too: clocks differ. */
const WINDOW = 1;

export const newTotpSecret = (): string => new Secret({ size: SECRET_BYTES }).base32;

export const sealTotp = (secret: string, userId: string, totp: string): Uint8Array<ArrayBuffer> =>
  sealedFor(secret, PURPOSE, userId, totp);

/** Null when it was encrypted under another secret, or for another user. */
export const openTotp = (secret: string, userId: string, sealed: Uint8Array): string | null =>
  openedFor(secret, PURPOSE, userId, sealed);

export const sealedTotp: SealedKind = {
  name: "authenticator apps",
  read: "select user_id as id, sealed from user_totp where user_id > $1 order by user_id limit $2",
  replace: "update user_totp set sealed = $2 where user_id = $1 and sealed = $3",
  anew({ id, sealed }, previous, current) {
    const totp = openTotp(previous, id, sealed);
    return totp === null ? null : [sealTotp(current, id, totp), sealed];
  },
};

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
