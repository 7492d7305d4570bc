/** Sign-in through the issuer of OpenID Connect that the settings name. */
import type { GithubProfile } from "next-auth/providers/github";
import type { GoogleProfile } from "next-auth/providers/google";
import type { OAuthConfig } from "next-auth/providers/oauth";
import { isMailAddress } from "../contract/email-shape";
import { NAME_LENGTH_MAX } from "../contract/limits";
import { claimedName, isShownText } from "../contract/shown-rule";
import type { Settings } from "../settings/settings";
import { isRecord } from "../values/records";

const SUBJECT_MAX = 255;
/** How far an issuer's clock may be ahead of ours. */
const AHEAD_SECONDS_MAX = 300;

/** An address that its service does not call verified is none: whoever typed it there gets no account. */
export const verifiedEmail = (email: unknown, isVerified: unknown): string | null =>
  isVerified === true && typeof email === "string" && isMailAddress(email) ? email : null;

/** Whether a token says that it was issued, and not in a time to come. */
export function isIssuedByNow(claims: unknown, now = Date.now()): boolean {
  const { iat } = isRecord(claims) ? claims : {};
  return typeof iat === "number" && iat > 0 && iat <= now / 1000 + AHEAD_SECONDS_MAX;
}

/** Who the claims of a checked token are about. A subject is somebody at its own issuer only. */
function personOf(claims: unknown) {
  const { iss, sub, email, email_verified: isVerified, name } = isRecord(claims) ? claims : {};
  if (typeof sub !== "string" || sub === "" || sub.length > SUBJECT_MAX || !isShownText(sub))
    throw new Error(`the token's subject must be one line of 1 to ${SUBJECT_MAX} characters`);
  return {
    id: `${typeof iss === "string" ? iss : null} ${sub}`,
    email: verifiedEmail(email, isVerified),
    name: claimedName(name, NAME_LENGTH_MAX),
    image: null,
  };
}

/** Google's answer, by the same rule. */
export const googlePersonOf = (claims: GoogleProfile) => ({
  id: claims.sub,
  email: verifiedEmail(claims.email, claims.email_verified),
  name: claimedName(claims.name, NAME_LENGTH_MAX),
  image: claims.picture,
});

/** GitHub's answer about a person's addresses: the primary one, if it is verified. */
export function verifiedPrimary(addresses: unknown): string | null {
  const rows = Array.isArray(addresses) ? addresses.filter(isRecord) : [];
  const primary = rows.find((row) => row.primary === true);
  return verifiedEmail(primary?.email, primary?.verified);
}

/** Asks GitHub for the person, and whether the address is verified, which the profile does not say. */
export const githubUserinfo: NonNullable<OAuthConfig<GithubProfile>["userinfo"]> = {
  url: "https://api.github.com/user",
  async request({ client, tokens }) {
    const token = tokens.access_token ?? "";
    const { email: _unchecked, ...profile } = await client.userinfo<GithubProfile>(token);
    const headers = { authorization: `token ${token}` };
    const signal = AbortSignal.timeout(10_000);
    const answer = await fetch("https://api.github.com/user/emails", { headers, signal });
    const email = answer.ok ? verifiedPrimary(await answer.json()) : null;
    return { ...profile, ...(email !== null && { email }) };
  },
};

/**
 * The claims of a checked token. An issuer need not put what a scope names into the token where there
 * is a further one to ask with (OpenID Connect Core 5.4): what is missing is asked for, by `ask`. The
 * address and whether it is verified come from the same answer. Rejects when that is about another
 * subject.
 */
export async function claimsOf(
  claims: Readonly<Record<string, unknown>>,
  ask: (() => Promise<Readonly<Record<string, unknown>>>) | null,
): Promise<object> {
  if (ask === null || ("email" in claims && "email_verified" in claims)) return claims;
  const own = Object.entries(claims).filter(([name]) => !/^email(_verified)?$/.test(name));
  const asked = await ask();
  if (asked.sub !== claims.sub) throw new Error("the issuer answered about another subject");
  return { ...asked, ...Object.fromEntries(own) };
}

/** The library's set of tokens has the claims that it has checked, though the type does not say so. */
function checkedClaims(tokens: object): Readonly<Record<string, unknown>> {
  const claims: unknown =
    "claims" in tokens && typeof tokens.claims === "function" ? tokens.claims() : null;
  if (!isRecord(claims)) throw new Error("the issuer gave no token with claims");
  return claims;
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
    userinfo: {
      request: ({ client, tokens }) => {
        const { access_token: token } = tokens;
        const canAsk =
          token !== undefined && client.issuer.metadata.userinfo_endpoint !== undefined;
        return claimsOf(checkedClaims(tokens), canAsk ? () => client.userinfo(token) : null);
      },
    },
    profile: personOf,
  };
}
