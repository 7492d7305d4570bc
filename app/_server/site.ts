import { families } from "@/lib/contract/states";
import { pagesDeps } from "@/lib/pages-api/pages-deps";
import { showInvitation } from "@/lib/queries/invites";
import { isFromSandbox } from "./serving";

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

/** Whether a visitor may look around with an account made for the occasion. */
export function hasDemoAccounts(): boolean {
  const { RELAY_DEMO_ACCOUNTS, RELAY_SIGNUP, SMTP_URL } = pagesDeps().settings;
  // With mail, accounts are made by a link that a made-up address would not get.
  const isAllowed =
    RELAY_DEMO_ACCOUNTS === "on" && RELAY_SIGNUP === "open" && SMTP_URL === undefined;
  return isAllowed && families.some(isFromSandbox);
}

/** The invitation that a code can still be used for, or null. */
export function invitationOf(code: string) {
  return showInvitation(pagesDeps(), code);
}
