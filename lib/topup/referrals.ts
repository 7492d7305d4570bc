/** Gives the points of referral links: the follower of credited top-ups. */
import type pg from "pg";
import { isSameMailbox, takeGift } from "../accounts/mailbox";
import { type ReferralRules, referralRules } from "../accounts/referral";
import { readEffectiveSettings } from "../live-settings/live-settings";

const AT_ONCE = 50;

interface Due {
  readonly account_id: string;
  readonly owner_email: string;
  readonly emails: readonly string[];
  readonly referrer_emails: readonly string[];
}

/** A reason of ours, or null: then only what was paid decides. A mailbox comes by a link once. */
async function refusalOf(pool: pg.Pool, { points }: ReferralRules, row: Due) {
  if (points <= 0n) return "off";
  const { account_id: accountId, owner_email: email, emails, referrer_emails: others } = row;
  const isSame = emails.some((each) => others.some((other) => isSameMailbox(each, other)));
  return isSame || !(await takeGift(pool, { accountId, email })) ? "same_person" : null;
}

const due = `
select r.account_id, (select u.email from account_member m join "user" u on u.id = m.user_id where m.account_id = r.account_id and m.role = 'owner') as owner_email,
       array(select u.email from account_member m join "user" u on u.id = m.user_id where m.account_id = r.account_id) as emails,
       array(select u.email from account_member m join "user" u on u.id = m.user_id where m.account_id = r.referrer_id) as referrer_emails
  from referral r join account a on a.id = r.account_id join account b on b.id = r.referrer_id
 where r.decided_at is null and r.paid_at <= now() - make_interval(days => $1) and a.status = 'active' and b.status = 'active'
   and not exists (select from payment_dispute d where d.payment_id = r.payment_id and d.status = 'open')
 order by r.paid_at limit ${AT_ONCE}`;

/**
 * Decides about every referral whose first paid top-up is old enough, each once, in whichever
 * process. Safe to run anywhere, any time. Returns how many it decided about.
 */
export async function decideReferrals(pool: pg.Pool): Promise<number> {
  const settings = await readEffectiveSettings(pool, {});
  const rules = referralRules(
    (name) => settings.find((setting) => setting.name === name)?.value ?? "",
  );
  const { rows } = await pool.query<Due>(due, [rules.days]);
  let decided = 0;
  for (const row of rows) {
    const { rows: answers } = await pool.query<{ outcome: string | null }>(
      "select referral_decide($1, $2, $3, $4, $5) as outcome",
      [
        row.account_id,
        rules.days,
        rules.monthMax,
        rules.totalMax,
        await refusalOf(pool, rules, row),
      ],
    );
    if (answers[0]?.outcome != null) decided++;
  }
  return decided;
}
