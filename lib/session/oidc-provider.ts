/** Sign-in through the issuer of OpenID Connect that the settings name. */
import type { OAuthConfig } from "next-auth/providers/oauth";
import { isRecord } from "../records";
import type { Settings } from "../settings";

const SUBJECT_MAX = 255;

const textOf = (value: unknown): string | null => (typeof value === "string" ? value : null);

/** Who the claims of a checked token are about. A subject is somebody at its own issuer only. */
function personOf(claims: unknown) {
  const { iss, sub, email, email_verified: isVerified, name } = isRecord(claims) ? claims : {};
  if (typeof sub !== "string" || sub === "" || sub.length > SUBJECT_MAX)
    throw new Error(`the token's subject is empty, or longer than ${SUBJECT_MAX} characters`);
  // An address that the issuer has not verified is none: whoever typed it there gets no account with
  // it. Some issuers send a text.
  const isRefused = isVerified === false || isVerified === "false";
  return {
    id: `${textOf(iss)} ${sub}`,
    email: isRefused ? null : textOf(email),
    name: textOf(name),
    image: null,
  };
}

/** Null when none is set. The library checks state, nonce, PKCE, and the token's signature and claims. */
export function oidcProvider(settings: Settings): OAuthConfig<unknown> | null {
  const { OIDC_ISSUER: issuer, OIDC_CLIENT_ID: clientId, OIDC_CLIENT_SECRET: secret } = settings;
  if (!issuer || !clientId || !secret) return null;
  return {
    id: "oidc",
    name: settings.OIDC_LABEL,
    type: "oauth",
    idToken: true,
    wellKnown: `${issuer.replace(/(?<!\/)\/+$/, "")}/.well-known/openid-configuration`,
    clientId,
    clientSecret: secret,
    authorization: { params: { scope: "openid email profile" } },
    checks: ["state", "nonce", "pkce"],
    profile: personOf,
  };
}
