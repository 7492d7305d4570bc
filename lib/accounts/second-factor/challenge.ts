/**
 * The challenge that a passkey signs. It is kept in the browser, in an encrypted cookie, so that
 * asking for one stores nothing here. It is bound to what it is for, lasts five minutes, and is used
 * once.
 */
import { randomBytes, randomUUID } from "node:crypto";
import { openedCookie, sealedCookie } from "../../crypto/sealed-cookie";
import type { Secrets } from "../../crypto/secrets";
import type { Transaction } from "../../db/client";
import { RelayError } from "../../failures/relay-error";
import { isRecord } from "../../values/records";

const PURPOSE = "relay passkey challenge v1";
const SECONDS = 5 * 60;

export interface Challenge {
  readonly id: string;
  readonly challenge: string;
  readonly until: number;
}

export const newChallenge = (): Challenge => ({
  id: `challenge-${randomUUID()}`,
  challenge: randomBytes(32).toString("base64url"),
  until: Date.now() + SECONDS * 1000,
});

export const challengeCookieName = (isSecure: boolean) =>
  isSecure ? "__Host-relay-passkey" : "relay-passkey";

/** The `Set-Cookie` value. `boundTo` says what the challenge is for, and in which session. */
export function challengeCookie(
  secrets: Pick<Secrets, "current">,
  challenge: Challenge,
  { boundTo, isSecure }: { boundTo: string; isSecure: boolean },
): string {
  const value = sealedCookie(secrets, PURPOSE, boundTo, challenge);
  return `${challengeCookieName(isSecure)}=${value}; Path=/; Max-Age=${SECONDS}; HttpOnly; SameSite=Strict${isSecure ? "; Secure" : ""}`;
}

/** Throws `passkey_refused` for a challenge of another browser or purpose, or an old one. */
export function readChallenge(
  secrets: Secrets,
  cookie: string | undefined,
  boundTo: string,
  now = Date.now(),
): Challenge {
  const found = openedCookie(secrets, PURPOSE, boundTo, cookie);
  if (isRecord(found) && typeof found.until === "number" && found.until > now) {
    const { id, challenge, until } = found;
    if (typeof id === "string" && typeof challenge === "string") return { id, challenge, until };
  }
  throw new RelayError("passkey_refused");
}

/** Uses something up that works once; false when it was used before. */
export async function takeOnce(
  transaction: Pick<Transaction, "endedSession">,
  { id, until }: { readonly id: string; readonly until: number },
): Promise<boolean> {
  const data = [{ id, expiresAt: new Date(until) }];
  return (await transaction.endedSession.createMany({ data, skipDuplicates: true })).count === 1;
}
