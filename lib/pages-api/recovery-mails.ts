import type { Locale } from "@/messages/locales";
import { type AccountMails, accountMails } from "../accounts/account-mails";
import { type Mail, mailServerOf } from "../accounts/mail";
import type { Outbox } from "../accounts/outbox";
import { makeResetLink } from "../commands/recovery";
import { RelayError } from "../failures/relay-error";
import { findSignIn } from "../queries/users";
import type { PagesDeps } from "./pages-deps";

export interface Mails {
  readonly text: AccountMails;
  /** Runs `work` after the answer. */
  later(work: (send: (mail: Mail) => Promise<void>) => Promise<void>): void;
}

/** The mails in a language. Throws `not_found` where mail is not set up. */
export function mailsOf(
  { settings, outbox }: Pick<PagesDeps, "settings"> & { readonly outbox: Pick<Outbox, "later"> },
  locale: Locale,
): Mails {
  const server = mailServerOf(settings);
  if (server === null)
    throw new RelayError("not_found", { message: "This installation sends no mail." });
  return {
    text: accountMails(settings.publicUrl, locale),
    later: (work) => outbox.later(server, work),
  };
}

/** Mails how to set a new password, or how to sign in without one; nothing to a stranger. */
export function mailReset({ database }: PagesDeps, { text, later }: Mails, email: string): void {
  later(async (send) => {
    const user = await findSignIn({ database }, email);
    if (user === null) return;
    const { userId, otherWays } = user;
    await send(
      otherWays === null
        ? text.reset(email, await makeResetLink({ database }, "system", { userId }))
        : text.noPassword(email, otherWays),
    );
  });
}
