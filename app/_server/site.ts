import { pagesDeps } from "@/lib/pages-api/pages-deps";
import { showInvitation } from "@/lib/queries/invites";

/** Facts about this installation that pages show. */
export function siteFacts() {
  const { publicUrl, RELAY_SIGNUP, RELAY_WELCOME_POINTS } = pagesDeps().settings;
  return {
    origin: new URL(publicUrl).origin,
    baseUrl: `${publicUrl}/v1`,
    welcomePoints: RELAY_WELCOME_POINTS,
    signUp: RELAY_SIGNUP,
  };
}

/** The invitation with this code, if it can still be used; null otherwise. */
export function invitationOf(code: string) {
  return showInvitation(pagesDeps(), code);
}
