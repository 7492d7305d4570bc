/** Payments of a plan: each extends the plan of its account by the periods that it is for. */
import type pg from "pg";
import { newId } from "../crypto/ids";
import { inTransaction } from "../db/transaction";
import { lockAccountPlan, planOf } from "./account-plan";
import { dropPaidPeriods, type PaidPeriod } from "./paid-periods";
import { beginPeriod, beginPlan, nothingFailed, renewPlan } from "./plan-events";
import { cancelRenewal, setRenewal } from "./renewals";

const paidQuery = `
select p.id, p.plan_id as "planId", p.points, now() as "creditedAt",
       exists (select from auto_topup_charge c where c.payment_id = p.id) as "isAutomatic"
  from payment p where p.id = $1 and p.status = 'paid' and p.credited_at is null for update of p`;

/** The buyer agreed to pay for the periods that follow, too. A charge of the saved card changes no terms. */
const agree = `
update account_plan a set renewal_points = p.points, renewal_amount = p.amount, renewal_currency = p.currency, renewal_periods = p.periods,
  next_plan_id = null, ends_with_period = false, periods_left = coalesce(a.periods_left, 0)
  from payment p where a.id = $1 and p.id = $2`;

const extend = "update payment set account_plan_id = $2, credited_at = now() where id = $1";

async function give(client: pg.ClientBase, accountId: string, paymentId: string): Promise<void> {
  const own = await lockAccountPlan(client, accountId);
  // The account before its payment, as referrals lock them.
  await client.query("select from account where id = $1 for no key update", [accountId]);
  const { rows } = await client.query<PaidPeriod & { isAutomatic: boolean }>(paidQuery, [
    paymentId,
  ]);
  const [paid] = rows;
  if (paid === undefined) return;
  if (own === undefined) {
    const id = newId("accountPlan");
    const plan = await planOf(client, paid.planId);
    await beginPlan(client, plan, { id, accountId, actor: paid.id, paid });
    if (!paid.isAutomatic) await client.query(agree, [id, paid.id]);
    return;
  }
  const isOther = own.planId !== paid.planId && !paid.isAutomatic;
  await client.query(extend, [paid.id, own.id]);
  // Another plan begins now, and keeps nothing of what was to follow.
  if (isOther) {
    await beginPeriod(client, own, true, paid);
    await dropPaidPeriods(client, own.id, paid.planId);
  }
  if (paid.isAutomatic)
    await client.query(`update account_plan set ${nothingFailed} where id = $1`, [own.id]);
  else {
    await setRenewal(client, own.id, null);
    await client.query(agree, [own.id, paid.id]);
  }
  if (!isOther) await renewPlan(client, accountId);
}

const isUnwanted = `
select p.account_id as id from payment p join account_plan a on a.id = p.account_plan_id and a.status <> 'ended'
 where p.id = $1 and coalesce(p.period_number, a.number) = a.number and a.renewal_amount is not null
   and (p.refunded * p.periods >= p.amount or exists (select from payment_dispute d where d.payment_id = p.id and d.status <> 'won'))`;

/**
 * Whoever has the money of a period that runs, or of a later one, back as a whole or disputes it does not
 * want to pay for the next one.
 */
export async function stopUnwanted(pool: pg.Pool, paymentId: string): Promise<void> {
  const { rows } = await pool.query<{ id: string }>(isUnwanted, [paymentId]);
  const [account] = rows;
  if (account !== undefined)
    await inTransaction(pool, (client) => cancelRenewal(client, account.id));
}

/**
 * Gives the periods of a payment, once, however often it is called: the first begins now on no plan, on
 * another one, or if its plan was not paid in time; else they wait for the end of the period that runs.
 */
export async function extendByPayment(
  pool: pg.Pool,
  { accountId, paymentId }: { readonly accountId: string; readonly paymentId: string },
): Promise<void> {
  await inTransaction(pool, (client) => give(client, accountId, paymentId));
}
