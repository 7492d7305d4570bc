import { families } from "@/lib/contract/states";
import { pagesDeps } from "@/lib/pages-api/pages-deps";
import { offeredServices } from "@/lib/queries/identities";
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

/** Whether the installation sends mail, and whom people may ask; null for its operator. */
export function helpFacts() {
  const { SMTP_URL, RELAY_SUPPORT_CONTACT } = pagesDeps().settings;
  return { hasMail: SMTP_URL !== undefined, contact: RELAY_SUPPORT_CONTACT ?? null };
}

/** What the services of sign-ins are called, and which of them are set up. */
export function signInServiceFacts() {
  const { settings } = pagesDeps();
  return {
    names: { github: "GitHub", google: "Google", oidc: settings.OIDC_LABEL },
    offered: offeredServices(settings),
  };
}

/** Whether the login page offers a demo account. */
export function hasDemoAccounts(): boolean {
  const { RELAY_DEMO_ACCOUNTS, RELAY_SIGNUP, SMTP_URL } = pagesDeps().settings;
  // Where mail is set up, accounts are created by mailed links, and a demo address gets no mail.
  const isAllowed =
    RELAY_DEMO_ACCOUNTS === "on" && RELAY_SIGNUP === "open" && SMTP_URL === undefined;
  return isAllowed && families.some(isFromSandbox);
}

/** The invitation with this code, if it can still be used; null otherwise. */
export function invitationOf(code: string) {
  return showInvitation(pagesDeps(), code);
}
