/** Periods that were paid by card: each payment of a plan is one, and waits until it begins. */
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

/** Of what was given back as a whole, no period is given. `u`: `payment`. */
const isKept = `u.refunded + (select coalesce(sum(d.amount), 0) from payment_dispute d
    where d.payment_id = u.id and d.status <> 'won') < u.amount`;

/** SQL: the periods that wait in an account's plan `p`. */
const waitingIn = (p: string) => `
  payment u where u.account_plan_id = ${p}.id and u.period_number is null
   and ${isKept}`;

/** SQL: how many they are. */
export const periodsPaid = (p: string) => `(select count(*)::integer from ${waitingIn(p)})`;

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
update payment u set period_number = 0, attention = case when ${isKept} then $3 else attention end
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

/** The payment's period begins. Locks its row, after the account and before the wallet. */
export async function takePaidPeriod(
  client: pg.ClientBase,
  { id }: PaidPeriod,
  period: { readonly accountPlanId: string; readonly number: number },
): Promise<void> {
  await client.query(
    `update payment set account_plan_id = $2, period_number = $3, credited_at = coalesce(credited_at, now()) where id = $1`,
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
