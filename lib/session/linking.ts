/**
 * A sign-in through another service adds that service to no session, unless the session's user
 * asked for it a moment ago, with a fresh proof.
 */
import { cookies, headers } from "next/headers";
import { localeOf } from "@/messages/locales";
import { linkWishCookieName, readLinkWish } from "../accounts/link-wish";
import { maySignInFrom } from "../accounts/operator-addresses";
import { linkIdentity } from "../commands/identities";
import { RelayError } from "../failures/relay-error";
import { mailFactor } from "../pages-api/factor-mails";
import type { PagesDeps } from "../pages-api/pages-deps";
import { currentSession, senderAddress } from "./current-user";
import { type SessionToken, sessionCookie } from "./session-token";

interface Identity {
  readonly provider: string;
  readonly providerAccountId: string;
}

async function wishFor(deps: PagesDeps, { provider }: Pick<Identity, "provider">) {
  const session = await currentSession({ isFresh: true });
  if (session === null) return null;
  const { token, user } = session;
  const cookie = (await cookies()).get(linkWishCookieName(sessionCookie(deps).options.secure));
  const wisher = { sessionId: token.sessionId, userId: user.userId, service: provider };
  const wish = readLinkWish(deps.secrets, cookie?.value, wisher);
  return { token, user, wish };
}

/** Where the browser is led if this sign-in would change who has access; null if it may go on. */
export async function refusedLink(deps: PagesDeps, identity: Identity): Promise<string | null> {
  const asked = await wishFor(deps, identity);
  if (asked === null) return null;
  const { provider, providerAccountId } = identity;
  const where = { provider_providerAccountId: { provider, providerAccountId } };
  const known = await deps.database.userIdentity.findUnique({ where });
  if (known?.userId === asked.user.userId || (known === null && asked.wish !== null)) return null;
  return `${deps.settings.publicUrl}/settings?refused=identity#services`;
}

/** Adds the identity as its session asked. Rejects with `proof_required`. */
export async function linkAsAsked(
  deps: PagesDeps,
  identity: Identity & { readonly userId: string },
): Promise<SessionToken> {
  const asked = await wishFor(deps, identity);
  const wish = asked?.user.userId === identity.userId ? asked.wish : null;
  if (asked === null || wish === null) throw new RelayError("proof_required");
  const { user, token } = asked;
  if (!(await maySignInFrom(deps, user.userId, await senderAddress())))
    throw new RelayError("address_not_allowed");
  await linkIdentity(deps, user, { ...identity, wish });
  mailFactor({ deps, locale: localeOf(await headers()) }, user, "identityAdded");
  return token;
}
