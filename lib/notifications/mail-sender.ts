/** Mails what waits for people, a few people at a time. */
import type pg from "pg";
import { chosenLocale } from "@/messages/locales";
import { type MailServer, sendMail } from "../accounts/mail";
import { keepSending, type Sender } from "../callbacks/keep-sending";
import { claimMails, type DueMail, dropMails, noteMail } from "./mail-queue";
import { notificationMail } from "./notification-words";

const TOGETHER = 2;

export interface MailSenderDeps {
  readonly pool: pg.Pool;
  readonly server: MailServer;
  readonly origin: string;
  readonly tickMs: number;
  readonly onProblem: (error: unknown) => void;
  readonly send?: typeof sendMail;
}

export function startMailSender(deps: MailSenderDeps): Sender {
  const { pool, server, origin, onProblem, send = sendMail } = deps;
  return keepSending<DueMail>({
    places: TOGETHER,
    tickMs: deps.tickMs,
    claim: (count) => claimMails(pool, count),
    async send(claimed) {
      const { email: to, userId } = claimed;
      const over = claimed.about.filter(({ data }) => data === null);
      const about = claimed.about.filter(({ data }) => data !== null);
      if (over.length > 0) await dropMails(pool, userId, over);
      if (about.length === 0) return undefined;
      const mail = { ...claimed, about };
      const locale = chosenLocale(mail.locale ?? undefined, null);
      let isSent = false;
      try {
        await send(server, notificationMail({ origin, locale, to }, about));
        isSent = true;
      } catch (error) {
        onProblem(error);
      }
      await noteMail(pool, mail, isSent);
      return undefined;
    },
    onProblem: (_, error) => onProblem(error),
  });
}
