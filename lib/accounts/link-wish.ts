/**
 * The wish of a session to sign in through another service from now on: made with a fresh proof,
 * for one service, for ten minutes, once. It is kept in the browser, in an encrypted cookie.
 */
import { randomUUID } from "node:crypto";
import { openedCookie, sealedCookie } from "../crypto/sealed-cookie";
import type { Secrets } from "../crypto/secrets";
import { isRecord } from "../values/records";

const PURPOSE = "relay link wish v1";
const SECONDS = 10 * 60;

/** Whose wish it is, and what is wished. */
interface Wisher {
  readonly sessionId: string;
  readonly userId: string;
  readonly service: string;
}

export interface LinkWish {
  readonly id: string;
  readonly until: number;
}

const boundTo = ({ sessionId, userId, service }: Wisher) => `${service} ${userId} ${sessionId}`;

export const linkWishCookieName = (isSecure: boolean) =>
  isSecure ? "__Host-relay-link" : "relay-link";

/** The `Set-Cookie` value. Lax: the other service leads back here. */
export function linkWishCookie(
  secrets: Pick<Secrets, "current">,
  wisher: Wisher,
  { isSecure }: { isSecure: boolean },
): string {
  const wish: LinkWish = { id: `link-${randomUUID()}`, until: Date.now() + SECONDS * 1000 };
  const value = sealedCookie(secrets, PURPOSE, boundTo(wisher), wish);
  return `${linkWishCookieName(isSecure)}=${value}; Path=/; Max-Age=${SECONDS}; HttpOnly; SameSite=Lax${isSecure ? "; Secure" : ""}`;
}

/** The wish in the cookie; null for that of another session, user or service, or an old one. */
export function readLinkWish(
  secrets: Secrets,
  cookie: string | undefined,
  wisher: Wisher,
): LinkWish | null {
  const found = openedCookie(secrets, PURPOSE, boundTo(wisher), cookie);
  if (!isRecord(found)) return null;
  const { id, until } = found;
  return typeof id === "string" && typeof until === "number" && until > Date.now()
    ? { id, until }
    : null;
}
