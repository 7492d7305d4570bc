import { pagesDeps } from "@/lib/pages-api/pages-deps";
import { listOwnAccounts, showInvitation } from "@/lib/queries/members";

/** The accounts of the user, for the side bar. */
export async function ownAccounts(user: Parameters<typeof listOwnAccounts>[1]) {
  return (await listOwnAccounts(pagesDeps(), user)).accounts;
}

export const shownInvitation = (token: string) => showInvitation(pagesDeps(), token);
