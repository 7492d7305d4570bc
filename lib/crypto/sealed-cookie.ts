/** A value in a cookie, encrypted for one purpose, and bound to whose it is. */
import { openedFor, sealedFor } from "./seal";
import { type Secrets, withFitting } from "./secrets";

export const sealedCookie = (
  { current }: Pick<Secrets, "current">,
  purpose: string,
  boundTo: string,
  value: object,
): string =>
  Buffer.from(sealedFor(current, purpose, boundTo, JSON.stringify(value))).toString("base64url");

/** Null without a cookie, and for one of another purpose or of somebody else. */
export function openedCookie(
  secrets: Secrets,
  purpose: string,
  boundTo: string,
  cookie: string | undefined,
): unknown {
  const sealed = Buffer.from(cookie ?? "", "base64url");
  const text = withFitting(secrets, (secret) => openedFor(secret, purpose, boundTo, sealed));
  return text === null ? null : JSON.parse(text);
}
