/** The mails about changes of a user's second factors, where mail is set up. */
import type { Locale } from "@/messages/locales";
import type { FactorChange } from "../accounts/account-mails";
import type { PagesDeps } from "./pages-deps";
import { mailsOf } from "./recovery-mails";

export function mailFactor(
  { deps, locale }: { deps: PagesDeps; locale: Locale },
  { email }: { email: string },
  what: FactorChange,
): void {
  if (deps.settings.SMTP_URL === undefined) return;
  const { text, later } = mailsOf(deps, locale);
  later((send) => send(text.factorChanged(email, what)));
}
