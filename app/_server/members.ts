import type { UserSession } from "@/lib/accounts/session-store";
import { pagesDeps } from "@/lib/pages-api/pages-deps";
import { listOwnAccounts, showInvitation } from "@/lib/queries/members";

/** The accounts of the user, for the side bar. */
export async function ownAccounts(user: UserSession) {
  return (await listOwnAccounts(pagesDeps(), user)).accounts;
}

export const shownInvitation = (token: string) => showInvitation(pagesDeps(), token);
