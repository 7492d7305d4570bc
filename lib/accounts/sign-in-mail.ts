/** The mail to an address that asked to sign in, or to create an account, by mail. */
import type { Locale } from "@/messages/locales";
import { type MailServer, sendMail } from "./mail";
import { mailWriter } from "./mail-words";

export interface SignInMail extends MailServer {
  readonly to: string;
  readonly origin: string;
  readonly locale: Locale;
  /**
   * The link that signs in or creates the account. Null for an account with a password and an
   * unverified address: a link must not open it.
   */
  readonly link: string | null;
}

/** Sends the mail. Rejects when the mail server does not accept it. */
export async function sendSignInMail(mail: SignInMail): Promise<void> {
  const { server, from, to, origin, locale, link } = mail;
  const write = mailWriter(origin, locale);
  await sendMail(
    { server, from },
    link === null ? write(to, "signInUnverified") : write(to, "signIn", { link }),
  );
}
