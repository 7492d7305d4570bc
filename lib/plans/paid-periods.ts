/** Periods that were paid by card: a payment of a plan is for one or several, each of which waits until it begins. */
import type pg from "pg";
import type { PaymentAttention } from "../contract/topup-states";
import { reversePayment } from "../ledger/core/wallets";

export interface PaidPeriod {
  /** The payment. */
  readonly id: string;
  readonly planId: string;
  /** Micropoints, as text. */
  readonly points: string;
  readonly creditedAt: Date;
}

/**
 * SQL: how many periods of a payment `u` wait. Money that is back is first of those that come last: one of
 * which all is back is not given.
 */
const waiting = `(ceil(u.periods::numeric * greatest(0, u.amount - u.refunded - (select coalesce(sum(d.amount), 0)
    from payment_dispute d where d.payment_id = u.id and d.status <> 'won')) / u.amount) - cardinality(u.periods_before))`;

/** SQL: the payments of which a period waits in an account's plan `p`. */
const waitingIn = (p: string) => `
  payment u where u.account_plan_id = ${p}.id and u.period_number is null
   and ${waiting} > 0`;

/** SQL: how many periods wait there. */
export const periodsPaid = (p: string) =>
  `(select coalesce(sum(${waiting}), 0)::integer from ${waitingIn(p)})`;

/** SQL: no period may follow in an account's plan `p` before it is paid by card. */
export const awaitsPayment = (p: string) => `(${p}.renewal_amount is not null
   and coalesce(${p}.periods_left, 0) = 0 and not exists (select from ${waitingIn(p)}))`;

const nextQuery = `
select u.id, u.plan_id as "planId", u.points, u.credited_at as "creditedAt"
  from account_plan p cross join lateral (select u.* from ${waitingIn("p")}) u
 where p.id = $1 order by u.plan_id = p.plan_id desc, u.credited_at, u.id limit 1`;

/** The paid period that is the next one; of the plan that runs before those of another. */
export async function nextPaidPeriod(
  client: pg.ClientBase,
  accountPlanId: string,
): Promise<PaidPeriod | undefined> {
  return (await client.query<PaidPeriod>(nextQuery, [accountPlanId])).rows[0];
}

const unused = `
update payment u set period_number = 0, attention = case when ${waiting} > 0 then $3 else attention end
 where u.account_plan_id = $1 and u.period_number is null and u.plan_id is distinct from $2`;

/**
 * Gives up paid periods that have not begun, all but those of the plan that is kept, and asks operators
 * to give back what was paid for them.
 */
export async function dropPaidPeriods(
  client: pg.ClientBase,
  accountPlanId: string,
  keptPlanId: string | null,
): Promise<void> {
  const attention: PaymentAttention = "period_unused";
  await client.query(unused, [accountPlanId, keptPlanId, attention]);
}

/** The next period of the payment begins. Locks its row, after the account and before the wallet. */
export async function takePaidPeriod(
  client: pg.ClientBase,
  { id }: PaidPeriod,
  period: { readonly accountPlanId: string; readonly number: number },
): Promise<void> {
  await client.query(
    `update payment set account_plan_id = $2, credited_at = coalesce(credited_at, now()),
       period_number = case when cardinality(periods_before) + 1 = periods then $3::integer end,
       periods_before = case when cardinality(periods_before) + 1 < periods then periods_before || $3::integer else periods_before end
      where id = $1`,
    [id, period.accountPlanId, period.number],
  );
}

/** Takes what is due of a period for money that was given back before it began. */
export async function reversePaidPeriod(client: pg.ClientBase, { id }: PaidPeriod): Promise<void> {
  const attention: PaymentAttention = "points_short";
  const { lost } = await reversePayment(client, id);
  if (lost > 0n)
    await client.query("update payment set attention = $2 where id = $1", [id, attention]);
}
