/** The sender of the current request: its user and its address. */
import { cookies, headers } from "next/headers";
import { mayOperateFrom } from "../accounts/operator-addresses";
import type { UserSession } from "../accounts/session-store";
import { ADDRESS_HEADER } from "../http/serve-page";
import { pagesDeps } from "../pages-api/pages-deps";
import { readPending, readSession, sessionCookie } from "./session-token";

/** The address of the current request. */
export async function senderAddress(): Promise<string | undefined> {
  return (await headers()).get(ADDRESS_HEADER) ?? undefined;
}

export async function currentSession(how?: { readonly isFresh: boolean }) {
  // Called first: it tells a build that the page depends on the request.
  const sent = await cookies();
  const deps = pagesDeps();
  return readSession(deps, sent.get(sessionCookie(deps).name)?.value, how);
}

/** The sign-in of this browser that waits for a second factor, or null. */
export async function currentPending() {
  const sent = await cookies();
  const deps = pagesDeps();
  return readPending(deps, sent.get(sessionCookie(deps).name)?.value);
}

/**
 * The signed-in user, or null. For pages and route files. `isFresh` reads the database: what a
 * member was allowed a moment ago may be over.
 */
export async function currentUser(how?: {
  readonly isFresh: boolean;
}): Promise<UserSession | null> {
  const session = await currentSession(how);
  if (session === null || !session.user.isOperator) return session?.user ?? null;
  return {
    ...session.user,
    isOperator: mayOperateFrom(pagesDeps().settings, await senderAddress()),
  };
}
