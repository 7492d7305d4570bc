/**
 * Finds balances that fell below the threshold of an automatic top-up, and opens one charge for
 * each. Nothing here reaches the payment provider: that a card is to be charged is durable before.
 */
import type pg from "pg";
import { AUTO_TOPUP_MINUTES_BETWEEN, AUTO_TOPUPS_PER_DAY_MAX } from "../contract/limits";
import { newId } from "../crypto/ids";
import { isCountLimit, isUniqueViolation } from "../db/database-errors";
import { inTransaction } from "../db/transaction";

const AT_ONCE = 50;

/** What the account was topped up by in this month, in the currency of its terms. `a`: `auto_topup`. */
export const chargedThisMonth = `(select coalesce(sum(m.amount), 0)::bigint from auto_topup_charge n join payment m on m.id = n.payment_id
  where n.account_id = a.account_id and n.account_plan_id is null and n.created_at >= date_trunc('month', now() at time zone 'UTC') at time zone 'UTC'
    and m.status in ('pending', 'paid') and m.currency = a.currency)`;

/**
 * That an account is to be charged now, and waits for no points that it has paid for. A package gives at least the threshold's points, so a
 * credited charge always ends the fall that it was opened for.
 */
const isDue = `a.is_on and a.paused is null
  and w.credits_posted - w.debits_posted - w.debits_pending < a.threshold
  and coalesce(a.retry_at <= now(), true)
  and not exists (select from auto_topup_charge o where o.account_id = a.account_id and o.account_plan_id is null
        and (o.ended_at is null or o.created_at > now() - interval '${AUTO_TOPUP_MINUTES_BETWEEN} minutes'))
  and not exists (select from payment u where u.account_id = a.account_id and u.paid_at is not null and u.credited_at is null)
  and (select count(*) from auto_topup_charge d where d.account_id = a.account_id and d.account_plan_id is null and d.created_at > now() - interval '1 day') < ${AUTO_TOPUPS_PER_DAY_MAX}
  and ${chargedThisMonth} + a.amount <= a.month_max`;

const findDue = `
select a.account_id from auto_topup a join account c on c.id = a.account_id and c.status = 'active' join wallet w on w.account_id = a.account_id
 where ${isDue} order by random() limit ${AT_ONCE}`;

/** Reads the balance and earlier charges anew, after the locks: in a snapshot that has all of them. */
const insertPayment = `
insert into payment (id, account_id, package_id, package_name, points, amount, currency, status)
select $1, a.account_id, t.id, t.name, a.points, a.amount, a.currency, 'pending'
  from auto_topup a join wallet w on w.account_id = a.account_id
  join topup_package t on t.id = a.package_id and t.is_enabled and (t.points, t.amount, t.currency) = (a.points, a.amount, a.currency)
 where a.account_id = $2 and ${isDue} returning id`;
const insertCharge = `
insert into auto_topup_charge (payment_id, account_id, customer_id, card_id)
select $1, a.account_id, a.customer_id, a.card_id from auto_topup a where a.account_id = $2`;

/** Another process opens it at the same time, or the account has too many payments in this hour. */
const isForLater = (error: unknown) => isUniqueViolation(error) || isCountLimit(error);

type Open = (client: pg.ClientBase, accountId: string) => Promise<boolean>;

/** Opens the charges of the accounts that a query finds, each in a commit of its own. Returns how many. */
export async function openEach(pool: pg.Pool, findDue: string, open: Open): Promise<number> {
  const { rows } = await pool.query<{ account_id: string }>(findDue);
  let opened = 0;
  for (const { account_id: accountId } of rows) {
    const isOpened = await inTransaction(pool, (client) => open(client, accountId)).catch(
      (error: unknown) => {
        if (isForLater(error)) return false;
        throw error;
      },
    );
    if (isOpened) opened++;
  }
  return opened;
}

/** The account before what is its own, in the order of its end; false if it is not free or not active. */
export async function shareActive(client: pg.ClientBase, accountId: string): Promise<boolean> {
  const { rowCount } = await client.query(
    "select from account where id = $1 and status = 'active' for share skip locked",
    [accountId],
  );
  return rowCount === 1;
}

/** Opens a charge if one is due now. */
async function openCharge(client: pg.ClientBase, accountId: string): Promise<boolean> {
  if (!(await shareActive(client, accountId))) return false;
  const locked = await client.query(
    "select from auto_topup where account_id = $1 for update skip locked",
    [accountId],
  );
  if (locked.rowCount !== 1) return false;
  const paymentId = newId("payment");
  const { rowCount } = await client.query(insertPayment, [paymentId, accountId]);
  if (rowCount !== 1) return false;
  await client.query(insertCharge, [paymentId, accountId]);
  return true;
}

/** Pauses where the package is not sold any more, or not on the terms that were agreed to. */
const pauseChanged = `
update auto_topup a set paused = 'package_changed', paused_at = now()
 where a.is_on and a.paused is null
   and not exists (select from topup_package t where t.id = a.package_id and t.is_enabled
                      and (t.points, t.amount, t.currency) = (a.points, a.amount, a.currency))`;

/** Opens what is due, each in a commit of its own. Returns how many it opened. */
export async function openCharges(pool: pg.Pool): Promise<number> {
  await pool.query(pauseChanged);
  return openEach(pool, findDue, openCharge);
}
