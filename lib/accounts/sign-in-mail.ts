/** The mail to an address that asked to sign in, or to create an account, by mail. */
import { type MailServer, sendMail } from "./mail";

export interface SignInMail extends MailServer {
  readonly to: string;
  readonly origin: string;
  /**
   * The link that signs in or creates the account. Null for an account with a password and an
   * unverified address: a link must not open it.
   */
  readonly link: string | null;
}

/** Sends the mail. Rejects when the mail server does not accept it. */
export async function sendSignInMail({
  server,
  from,
  to,
  origin,
  link,
}: SignInMail): Promise<void> {
  const { host } = new URL(origin);
  const what =
    link === null
      ? `An account with this address and a password already exists. Sign in with the password at ${origin}/login, then request a link there to verify the address.`
      : `Open this link to continue: it signs you in, or creates your account if you have none yet. The link works once and is valid for 30 minutes.\n\n${link}`;
  const text = `Someone asked to sign in at ${host}, or to create an account there, with this address.\n\n${what}\n\nIf this was not you, ignore this mail: nothing has changed, and nobody learned whether you have an account.\n`;
  await sendMail({ server, from }, { to, subject: `Sign in to ${host}`, text });
}
