/** The rows of `notification_mail`, claimed person by person. */
import type pg from "pg";
import type { NotificationKind } from "../contract/states";
import { inTransaction } from "../db/transaction";
import { standingData } from "./standing";

/** What waits for a person becomes one mail, and the next one follows at least this much later. */
const APART = "interval '10 minutes'";
const IN_ONE_MAIL_MAX = 50;
const LEASE = "interval '2 minutes'";

/** Seconds until the next attempt. Then the mail is given up. */
const retrySeconds = [60, 600, 3600, 14_400, 43_200] as const;

interface MailedNotification {
  readonly id: string;
  readonly kind: NotificationKind;
  /** As it is now; null where nothing of it is so any more. */
  readonly data: unknown;
}

export interface DueMail {
  readonly userId: string;
  readonly email: string;
  readonly locale: string | null;
  readonly attempts: number;
  readonly about: readonly MailedNotification[];
}

const isOpen = (row: string) => `${row}.sent_at is null and ${row}.given_up_at is null`;
const isDue = (row: string) =>
  `${isOpen(row)} and ${row}.next_attempt_at <= now() and (${row}.lease_until is null or ${row}.lease_until < now())`;

const claim = `
  with people as (
    select m.user_id from notification_mail m where ${isDue("m")}
       and not exists (select from notification_mail s where s.user_id = m.user_id
         and (s.sent_at > now() - ${APART} or (s.sent_at is null and s.given_up_at is null and s.lease_until >= now())))
     group by m.user_id order by min(m.next_attempt_at) limit $1
  ), due as materialized (
    select d.notification_id, d.user_id from people p cross join lateral
      (select * from notification_mail m where m.user_id = p.user_id and ${isDue("m")}
        order by m.next_attempt_at limit ${IN_ONE_MAIL_MAX} for update skip locked) d
  ), claimed as (
    update notification_mail m set lease_until = now() + ${LEASE} from due d
     where m.notification_id = d.notification_id and m.user_id = d.user_id returning m.notification_id, m.user_id, m.attempts
  )
  select u.id as "userId", u.email, u.locale, max(c.attempts) as attempts,
         json_agg(json_build_object('id', n.id, 'kind', n.kind, 'data', ${standingData("n")}) order by n.created_at) as about
    from claimed c join notification n on n.id = c.notification_id join "user" u on u.id = c.user_id group by u.id`;

/**
 * The mails of up to `count` people. One claim at a time: two at once would share what waits for a
 * person, who would get two mails.
 */
export async function claimMails(pool: pg.Pool, count: number): Promise<DueMail[]> {
  return inTransaction(pool, async (client) => {
    await client.query("select pg_advisory_xact_lock(7275621)");
    const { rows } = await client.query<DueMail>(claim, [count]);
    return rows;
  });
}

/** Gives up mails that would say what is no longer so. */
export async function dropMails(
  pool: pg.Pool,
  userId: string,
  about: readonly MailedNotification[],
): Promise<void> {
  await pool.query(
    `update notification_mail m set lease_until = null, given_up_at = now()
      where user_id = $1 and notification_id = any($2) and ${isOpen("m")}`,
    [userId, about.map(({ id }) => id)],
  );
}

export async function noteMail(pool: pg.Pool, mail: DueMail, isSent: boolean): Promise<void> {
  const wait = retrySeconds[mail.attempts] ?? null;
  await pool.query(
    `update notification_mail m set attempts = attempts + 1, lease_until = null, sent_at = case when $3 then now() end,
            given_up_at = case when not $3 and $4::double precision is null then now() end,
            next_attempt_at = now() + make_interval(secs => coalesce($4::double precision, 0) * (0.8 + 0.4 * random()))
      where user_id = $1 and notification_id = any($2) and ${isOpen("m")}`,
    [mail.userId, mail.about.map(({ id }) => id), isSent, wait],
  );
}
