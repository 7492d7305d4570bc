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

export async function currentSession() {
  // Called first: it tells a build that the page depends on the request.
  const sent = await cookies();
  const deps = pagesDeps();
  return readSession(deps, sent.get(sessionCookie(deps).name)?.value);
}

/** The sign-in of this browser that waits for a second factor, or null. */
export async function currentPending() {
  const sent = await cookies();
  const deps = pagesDeps();
  return readPending(deps, sent.get(sessionCookie(deps).name)?.value);
}

/** The signed-in user, or null. For pages and route files. */
export async function currentUser(): Promise<UserSession | null> {
  const session = await currentSession();
  if (session === null || !session.user.isOperator) return session?.user ?? null;
  return {
    ...session.user,
    isOperator: mayOperateFrom(pagesDeps().settings, await senderAddress()),
  };
}
