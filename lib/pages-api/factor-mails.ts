/** The mails about changes of a user's second factors, where mail is set up. */
import type { UserSession } from "../accounts/session-store";
import type { PagesDeps } from "./pages-deps";
import { mailsOf } from "./recovery-mails";

const sentences = {
  totpAdded: "An authenticator app was added to your account.",
  totpRemoved: "The authenticator app of your account was removed.",
  passkeyAdded: "A passkey was added to your account.",
  passkeyRemoved: "A passkey of your account was removed.",
  codesMade: "New recovery codes were made for your account. The earlier ones no longer work.",
  codeUsed: "A recovery code was used to prove who you are. It does not work again.",
} as const;

export function mailFactor(
  deps: PagesDeps,
  { email }: Pick<UserSession, "email">,
  what: keyof typeof sentences,
): void {
  if (deps.settings.SMTP_URL === undefined) return;
  const { text, later } = mailsOf(deps);
  later((send) => send(text.factorChanged(email, sentences[what])));
}
