import { pagesDeps } from "@/lib/pages-api/pages-deps";
import { showInvitation } from "@/lib/queries/invites";

/** What the pages say about this installation. */
export function siteFacts() {
  const { publicUrl, RELAY_SIGNUP, RELAY_WELCOME_POINTS } = pagesDeps().settings;
  return {
    origin: new URL(publicUrl).origin,
    baseUrl: `${publicUrl}/v1`,
    welcomePoints: RELAY_WELCOME_POINTS,
    signUp: RELAY_SIGNUP,
  };
}

/** The invitation that a code can still be used for, or null. */
export function invitationOf(code: string) {
  return showInvitation(pagesDeps(), code);
}
