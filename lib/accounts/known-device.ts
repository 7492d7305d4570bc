/**
 * Recognizes by a cookie a browser in which a user signed in before, so that failed attempts of
 * strangers do not lock the owner out there. The cookie grants no access; a stolen one allows ten
 * more attempts in 15 minutes.
 */
import { createHmac, hkdfSync, randomBytes, timingSafeEqual } from "node:crypto";
import type { Secrets as InstallationSecrets } from "../crypto/secrets";

type Secrets = Pick<InstallationSecrets, "current" | "accepted">;

const DAY_MS = 86_400_000;
const DAYS_MAX = 400;
/** When several users share a browser, those who signed in last are kept. */
const PEOPLE_MAX = 5;
const pattern = /^([\w-]{22})((?:\.[0-9a-z]{1,5}-[\w-]{22}){1,5})$/;

export interface Device {
  readonly id: string;
  /** Whether the user signed in in this browser within the last 400 days. */
  knows(userId: string): boolean;
}

const keyOf = (secret: string) =>
  Buffer.from(hkdfSync("sha256", secret, "", "relay known device v1", 32));
const dayOf = (now: number) => Math.floor(now / DAY_MS);

function mark(secret: string, id: string, day: number, userId: string): string {
  const signature = createHmac("sha256", keyOf(secret))
    .update(`${id}.${day}.${userId}`)
    .digest()
    .subarray(0, 16);
  return `${day.toString(36)}-${signature.toString("base64url")}`;
}

function marksOf(text: string | undefined): { id: string; marks: string[] } | null {
  const [, id, marks] = pattern.exec(text ?? "") ?? [];
  return id === undefined || marks === undefined ? null : { id, marks: marks.slice(1).split(".") };
}

function isMarkOf(
  { accepted }: Secrets,
  id: string,
  given: string,
  userId: string,
  now: number,
): boolean {
  const day = Number.parseInt(given, 36);
  if (dayOf(now) - day > DAYS_MAX) return false;
  return accepted.some((secret) => {
    const right = Buffer.from(mark(secret, id, day, userId));
    return right.length === given.length && timingSafeEqual(right, Buffer.from(given));
  });
}

/**
 * The browser that sends this cookie; null when nobody has signed in in it, or the cookie is
 * invalid.
 */
export function readDevice(
  secrets: Secrets,
  cookie: string | undefined,
  now = Date.now(),
): Device | null {
  const found = marksOf(cookie);
  if (found === null) return null;
  const { id, marks } = found;
  return {
    id,
    knows: (userId) => marks.some((given) => isMarkOf(secrets, id, given, userId, now)),
  };
}

export const deviceCookieName = (isSecure: boolean) =>
  isSecure ? "__Host-relay-device" : "relay-device";

/** The `Set-Cookie` value after the user signed in in the browser that sent `cookie`. */
export function rememberDevice(
  secrets: Secrets,
  request: { userId: string; cookie: string | undefined; isSecure: boolean },
  now = Date.now(),
): string {
  const { userId, cookie, isSecure } = request;
  const known = marksOf(cookie);
  const id = known?.id ?? randomBytes(16).toString("base64url");
  const others = known?.marks.filter((given) => !isMarkOf(secrets, id, given, userId, now)) ?? [];
  const value = [
    id,
    mark(secrets.current, id, dayOf(now), userId),
    ...others.slice(0, PEOPLE_MAX - 1),
  ].join(".");
  const attributes = `Path=/; Max-Age=${DAYS_MAX * 86_400}; HttpOnly; SameSite=Lax${isSecure ? "; Secure" : ""}`;
  return `${deviceCookieName(isSecure)}=${value}; ${attributes}`;
}
