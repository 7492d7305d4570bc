/**
 * Finds plans whose next period is to be paid by the saved card, and opens one charge for each. As for
 * automatic top-ups, that a card is to be charged is durable before the payment provider is asked.
 */
import type pg from "pg";
import { newId } from "../crypto/ids";
import { tryAccountPlan } from "../plans/account-plan";
import { awaitsPayment } from "../plans/paid-periods";
import { countPlanFailure } from "../plans/renewals";
import { openEach, shareActive } from "./open-charges";
import { planName } from "./payments";

const AT_ONCE = 50;

/**
 * An hour before the period ends, so that the next one follows it without a gap; of short periods, a
 * tenth of them. `p`: `account_plan`.
 */
const isDue = `p.status = 'active' and p.period_ends_at <= now() + interval '1 hour' and ${awaitsPayment("p")}
  and p.period_ends_at - least(interval '1 hour', (p.period_ends_at - p.period_starts_at) / 10) <= now()
  and (p.failures = 0 or p.retry_at <= now()) and coalesce(p.unpaid_until > now(), true)
  and not exists (select from auto_topup_charge o where o.account_plan_id = p.id and o.ended_at is null)
  and not exists (select from payment u where u.account_id = p.account_id and u.plan_id is not null and u.paid_at is not null and u.credited_at is null)`;

const findDue = `
select p.account_id from account_plan p join account c on c.id = p.account_id and c.status = 'active'
 where ${isDue} order by random() limit ${AT_ONCE}`;

/** Reads the plan and earlier charges anew, after the locks: in a snapshot that has all of them. */
const insertPayment = `
insert into payment (id, account_id, package_id, package_name, plan_id, points, amount, currency, periods, status)
select $1, p.account_id, n.id, ${planName("n.name", "p.renewal_periods")}, n.id, p.renewal_points, p.renewal_amount, p.renewal_currency, p.renewal_periods, 'pending'
  from account_plan p join plan n on n.id = coalesce(p.next_plan_id, p.plan_id)
 where p.id = $2 and ${isDue} returning id`;
const insertCharge = `
insert into auto_topup_charge (payment_id, account_id, customer_id, card_id, account_plan_id) values ($1, $2, $3, $4, $5)`;

interface CardRow {
  readonly customer_id: string;
  readonly card_id: string | null;
}

async function open(client: pg.ClientBase, accountId: string): Promise<boolean> {
  const own = await tryAccountPlan(client, accountId);
  const isActive = await shareActive(client, accountId);
  if (own === undefined || !isActive) return false;
  const { rows } = await client.query<CardRow>(
    "select customer_id, card_id from auto_topup where account_id = $1",
    [accountId],
  );
  const paymentId = newId("payment");
  const { rowCount } = await client.query(insertPayment, [paymentId, own.id]);
  if (rowCount !== 1) return false;
  const [saved] = rows;
  if (saved === undefined || saved.card_id === null) {
    await client.query("update payment set status = 'failed' where id = $1", [paymentId]);
    await countPlanFailure(client, own.id, "card_gone");
    return false;
  }
  const charge = [paymentId, accountId, saved.customer_id, saved.card_id, own.id];
  await client.query(insertCharge, charge);
  return true;
}

/** Opens what is due, each in a commit of its own. Returns how many it opened. */
export const openRenewals = (pool: pg.Pool): Promise<number> => openEach(pool, findDue, open);
