/**
 * Charges the card of an open charge, or finds out what became of it. Everything here is safe to
 * repeat, from any process, after any crash.
 */
import type pg from "pg";
import type { TopupFailure } from "../contract/topup-states";
import { inTransaction } from "../db/transaction";
import type { Ledger } from "../ledger/core/verbs";
import { countPlanFailure } from "../plans/renewals";
import { applyIntent } from "./apply-facts";
import type { PaymentIntent } from "./card-answers";
import { factsOfIntent } from "./payment-facts";
import type { Stripe } from "./stripe";
import { cancelIntent, chargeCard, findIntent, readIntent } from "./stripe-cards";

interface ChargeDeps {
  readonly pool: pg.Pool;
  readonly ledger: Ledger;
}

/**
 * Stripe keeps the key of a request for a day at least. After half of one a charge is not sent
 * again; if Stripe has none, it is over.
 */
const SENDING_HOURS = 12;
/** The first refusal of a card is not followed by another one at once. */
const RETRY_HOURS = 24;
const FAILURES_MAX = 2;

/** Once a minute; charges that are open for long are asked about less often. `p`: `payment`. */
export const isTimeToAsk = `p.status = 'pending'
   and coalesce(p.checked_at <= now() - greatest(interval '1 minute', least(interval '1 hour', (now() - p.created_at) / 10)), true)`;

/** Whether the card may still be charged: nobody removed it, or stopped or paused what it pays for. */
const mayBeSent = `exists (select from auto_topup t join account a on a.id = t.account_id and a.status = 'active'
   where t.account_id = c.account_id and t.card_id = c.card_id and case when c.account_plan_id is null then t.is_on and t.paused is null
     else exists (select from account_plan s where s.id = c.account_plan_id and s.status = 'active' and s.renewal_amount is not null) end)`;

const claim = `
with asked as (
  select p.id, p.checked_at is null as is_first, c.customer_id, c.card_id, ${mayBeSent} as may_be_sent
    from payment p join auto_topup_charge c on c.payment_id = p.id
   where p.id = $1 and c.ended_at is null and ${isTimeToAsk} for update of p)
update payment p set checked_at = now() from asked where p.id = asked.id
returning p.id, p.intent_id, p.amount, p.currency, asked.customer_id, asked.card_id, asked.is_first, asked.may_be_sent,
  p.created_at < now() - interval '${SENDING_HOURS} hours' as is_old, extract(epoch from p.created_at)::bigint as made_at`;

interface Claimed {
  readonly id: string;
  readonly intent_id: string | null;
  readonly amount: string;
  readonly currency: string;
  readonly customer_id: string;
  readonly card_id: string;
  readonly is_first: boolean;
  readonly may_be_sent: boolean;
  readonly is_old: boolean;
  readonly made_at: string;
}

const endCharge =
  "update auto_topup_charge set ended_at = now(), outcome = $2 where payment_id = $1 and ended_at is null returning account_id, card_id, account_plan_id";
/** A card that was replaced meanwhile is not held against the new one. */
const isSaved = "select from auto_topup where account_id = $1 and card_id = $2";
const countFailure = `
update auto_topup set failures = failures + 1, retry_at = now() + interval '${RETRY_HOURS} hours',
  paused = case when paused is not null then paused when $3 = 'card_declined' and failures + 1 < ${FAILURES_MAX} then null else $3 end,
  paused_at = case when paused is not null then paused_at when $3 = 'card_declined' and failures + 1 < ${FAILURES_MAX} then null else now() end
 where account_id = $1 and card_id = $2 and is_on`;

interface Ended {
  readonly account_id: string;
  readonly card_id: string;
  /** Null: of an automatic top-up. */
  readonly account_plan_id: string | null;
}

type Failed = Exclude<TopupFailure, "unsent">;

async function count(client: pg.ClientBase, ended: Ended, reason: Failed): Promise<void> {
  const card = [ended.account_id, ended.card_id];
  if (ended.account_plan_id === null) await client.query(countFailure, [...card, reason]);
  else if ((await client.query(isSaved, card)).rowCount === 1)
    await countPlanFailure(client, ended.account_plan_id, reason);
}

/**
 * Ends a charge of which it is certain that nothing is or will be charged, and counts it. That the
 * payment failed is not told where it paused automatic top-up, which therefore comes before it.
 */
function fail(pool: pg.Pool, paymentId: string, reason: TopupFailure): Promise<void> {
  return inTransaction(pool, async (client) => {
    const open = "select from payment where id = $1 and status = 'pending' for update";
    if ((await client.query(open, [paymentId])).rowCount !== 1) return;
    const { rows } = await client.query<Ended>(endCharge, [paymentId, reason]);
    const [ended] = rows;
    if (ended !== undefined && reason !== "unsent") await count(client, ended, reason);
    await client.query("update payment set status = 'failed' where id = $1", [paymentId]);
  });
}

/**
 * The intent of a charge: the one that Stripe has, or one that is made now. Null where none may be
 * made any more, but an earlier request may still arrive at Stripe.
 */
async function intentOf(
  stripe: Stripe,
  charge: Claimed,
): Promise<PaymentIntent | TopupFailure | null> {
  if (charge.intent_id !== null) return readIntent(stripe, charge.intent_id);
  const names = { paymentId: charge.id, customerId: charge.customer_id };
  if (!charge.is_first) {
    // A day earlier, for clocks that differ.
    const found = await findIntent(stripe, { ...names, since: Number(charge.made_at) - 86_400 });
    if (found !== null) return found;
  }
  if (charge.is_old) return "unsent";
  if (!charge.may_be_sent) return charge.is_first ? "unsent" : null;
  const { currency, card_id: cardId } = charge;
  const sale = { ...names, cardId, currency, amount: Number(charge.amount) };
  return (await chargeCard(stripe, sale)) ?? "card_gone";
}

const reasonOf = ({ status, last_payment_error: error }: PaymentIntent): TopupFailure =>
  status === "requires_action" || error?.code === "authentication_required"
    ? "needs_person"
    : "card_declined";

/**
 * Applies an intent that did not succeed. It is cancelled before the charge is given up, so that
 * nothing can be charged by it later; the reason is kept first, because cancelling may remove it.
 */
async function applyUnpaid(
  pool: pg.Pool,
  stripe: Stripe,
  paymentId: string,
  intent: PaymentIntent,
) {
  const { rows } = await pool.query<{ failure: TopupFailure }>(
    "update auto_topup_charge set failure = coalesce(failure, $2) where payment_id = $1 and ended_at is null returning failure",
    [paymentId, reasonOf(intent)],
  );
  const [kept] = rows;
  if (kept === undefined) return;
  const last = intent.status === "canceled" ? intent : await cancelIntent(stripe, intent.id);
  if (last.status === "canceled") await fail(pool, paymentId, kept.failure);
}

/**
 * Charges, or asks the payment provider, at most once a minute. Rejects with `payments_unavailable`
 * when there is no answer; the charge then stays open.
 */
export async function settleCharge(
  { pool, ledger }: ChargeDeps,
  stripe: Stripe,
  paymentId: string,
): Promise<void> {
  const { rows } = await pool.query<Claimed>(claim, [paymentId]);
  const [charge] = rows;
  if (charge === undefined) return;
  const intent = await intentOf(stripe, charge);
  if (intent === null) return;
  if (typeof intent === "string") return fail(pool, paymentId, intent);
  await pool.query("update payment set intent_id = $2 where id = $1 and intent_id is null", [
    paymentId,
    intent.id,
  ]);
  if (intent.status === "succeeded") await applyIntent({ pool, ledger }, factsOfIntent(intent));
  else if (intent.status !== "processing") await applyUnpaid(pool, stripe, paymentId, intent);
}
