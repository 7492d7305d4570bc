/**
 * Applies what a payment provider says about a payment to our rows and the ledger. Everything here
 * is safe to repeat.
 */
import type pg from "pg";
import type { PaymentAttention } from "../contract/topup-states";
import type { Ledger } from "../ledger/core/verbs";
import { reversePayment } from "../ledger/core/wallets";
import { extendByPayment, stopUnwanted } from "../plans/plan-payment";
import { type EventFacts, eventFacts, type IntentFacts, type SessionFacts } from "./payment-facts";

interface ApplyDeps {
  readonly pool: pg.Pool;
  readonly ledger: Ledger;
}

interface PaymentRow {
  readonly id: string;
  readonly account_id: string;
  /** Of a plan: the points are those of one period. */
  readonly plan_id: string | null;
  readonly points: string;
  readonly amount: string;
  readonly currency: string;
  readonly credited_at: Date | null;
}

/** The result of an event. `no_payment`: the payment is unknown here, or not known yet. */
type AppliedOutcome = "done" | "no_payment" | "mismatch" | "ignored";

async function flag(pool: pg.Pool, paymentId: string, attention: PaymentAttention): Promise<void> {
  await pool.query("update payment set attention = $2 where id = $1", [paymentId, attention]);
}

/**
 * Takes points back, or returns them after a dispute that was won. Alerts the operator when points
 * could not be taken. A plan whose period is not wanted is not renewed.
 */
async function reverse(pool: pg.Pool, { id, plan_id: planId }: Pick<PaymentRow, "id" | "plan_id">) {
  const { lost } = await reversePayment(pool, id);
  if (lost > 0n) await flag(pool, id, "points_short");
  if (planId !== null) await stopUnwanted(pool, id);
}

/**
 * Credits a paid payment once, or extends the plan that it pays for, however often it is called, and
 * then applies events that came too early. The ledger accepts a payment's id once; `sweepPayments` finds
 * what a crash left without a credit.
 */
export async function finishPayment(deps: ApplyDeps, paymentId: string): Promise<void> {
  const { pool, ledger } = deps;
  const { rows } = await pool.query<PaymentRow & { intent_id: string | null; is_closed: boolean }>(
    "select p.*, a.status = 'closed' as is_closed from payment p join account a on a.id = p.account_id where p.id = $1 and p.status = 'paid'",
    [paymentId],
  );
  const payment = rows[0];
  if (payment === undefined) return;
  const { account_id: accountId } = payment;
  // Its page was open, or its charge was sent, when the account was closed: nobody can use the points.
  if (payment.credited_at === null && payment.is_closed)
    await flag(pool, paymentId, "account_closed");
  if (payment.credited_at === null && payment.plan_id !== null)
    await extendByPayment(pool, { accountId, paymentId });
  else if (payment.credited_at === null) {
    await ledger.credit({
      accountId,
      kind: "topup",
      ref: payment.id,
      amount: BigInt(payment.points),
      reason: "Top-up",
      actor: "system",
    });
    await pool.query(
      "update payment set credited_at = now() where id = $1 and credited_at is null",
      [paymentId],
    );
  }
  if (payment.intent_id !== null) {
    const early = await pool.query<{ id: string }>(
      "select id from payment_event where outcome = 'no_payment' and intent_id = $1 and facts ->> 'about' not in ('session', 'intent') limit 100",
      [payment.intent_id],
    );
    for (const { id } of early.rows) await applyEvent(deps, id);
  }
  await reverse(pool, payment);
}

/**
 * Applies a Checkout Session to the payment it was opened for. Only a paid one with the right
 * amount and currency credits.
 */
export async function applySession(deps: ApplyDeps, facts: SessionFacts): Promise<AppliedOutcome> {
  const { pool } = deps;
  const { rows } = await pool.query<PaymentRow>(
    "select * from payment where session_id = $1 or (id = $2 and session_id is null) order by session_id nulls last limit 1",
    [facts.sessionId, facts.paymentId],
  );
  const payment = rows[0];
  if (payment === undefined || payment.id !== facts.paymentId) return "no_payment";
  if (!facts.isPaid) {
    const status = facts.isOver ?? "pending";
    const from = facts.isOver === null ? ["created"] : ["created", "pending"];
    await pool.query("update payment set status = $2 where id = $1 and status = any($3)", [
      payment.id,
      status,
      from,
    ]);
    return "done";
  }
  if (
    facts.amount === null ||
    BigInt(facts.amount) !== BigInt(payment.amount) ||
    facts.currency !== payment.currency
  ) {
    await flag(pool, payment.id, "amount_mismatch");
    return "mismatch";
  }
  await pool.query(
    `update payment set status = 'paid', paid_at = coalesce(paid_at, now()), session_id = $2, intent_id = coalesce(intent_id, $3)
      where id = $1 and (status <> 'paid' or intent_id is null)`,
    [payment.id, facts.sessionId, facts.intentId],
  );
  await finishPayment(deps, payment.id);
  return "done";
}

/**
 * Applies a charge of a saved card that succeeded. Also one that had been given up: what was paid
 * is credited. Payments by Checkout are credited by their session.
 */
export async function applyIntent(deps: ApplyDeps, facts: IntentFacts): Promise<AppliedOutcome> {
  const { pool } = deps;
  const { rows } = await pool.query<PaymentRow & { intent_id: string | null; is_own: boolean }>(
    "select p.*, exists (select from auto_topup_charge c where c.payment_id = p.id) as is_own from payment p where p.id = $1",
    [facts.paymentId],
  );
  const payment = rows[0];
  if (payment === undefined) return "no_payment";
  if (!payment.is_own) return "ignored";
  if (
    BigInt(facts.amount) !== BigInt(payment.amount) ||
    facts.currency !== payment.currency ||
    (payment.intent_id ?? facts.intentId) !== facts.intentId
  ) {
    await flag(pool, payment.id, "amount_mismatch");
    return "mismatch";
  }
  await pool.query(
    `update payment set status = 'paid', paid_at = coalesce(paid_at, now()), intent_id = $2
      where id = $1 and (status <> 'paid' or intent_id is null)`,
    [payment.id, facts.intentId],
  );
  await finishPayment(deps, payment.id);
  return "done";
}

async function applyReversal(
  { pool }: ApplyDeps,
  facts: Extract<EventFacts, { about: "refund" | "dispute" }>,
): Promise<AppliedOutcome> {
  const { rows } = await pool.query<PaymentRow>("select * from payment where intent_id = $1", [
    facts.intentId,
  ]);
  const payment = rows[0];
  if (payment === undefined) return "no_payment";
  if (facts.currency !== payment.currency) {
    await flag(pool, payment.id, "amount_mismatch");
    return "mismatch";
  }
  if (facts.about === "refund") {
    // The sum of all refunds so far: a late, older event has a smaller one.
    const grown = await pool.query(
      "update payment set refunded = least($2, amount) where id = $1 and refunded < least($2, amount)",
      [payment.id, facts.refunded],
    );
    if (grown.rowCount === 1) await flag(pool, payment.id, "refunded");
  } else {
    const changed = await pool.query(
      `insert into payment_dispute (id, payment_id, amount, status) values ($1, $2, $3, $4)
       on conflict (id) do update set status = excluded.status where payment_dispute.status = 'open' and excluded.status <> 'open'`,
      [facts.disputeId, payment.id, facts.amount, facts.status],
    );
    if (changed.rowCount === 1) await flag(pool, payment.id, `dispute_${facts.status}`);
  }
  await reverse(pool, payment);
  return "done";
}

async function apply(deps: ApplyDeps, facts: EventFacts): Promise<AppliedOutcome> {
  switch (facts.about) {
    case "session":
      return applySession(deps, facts);
    case "intent":
      return applyIntent(deps, facts);
    case "refund":
    case "dispute":
      return applyReversal(deps, facts);
    case "refund_failed": {
      const { rowCount } = await deps.pool.query(
        "update payment set attention = 'refund_failed' where intent_id = $1",
        [facts.intentId],
      );
      return rowCount === 1 ? "done" : "no_payment";
    }
    default:
      return "ignored";
  }
}

/** Applies a stored event and records the result. */
export async function applyEvent(deps: ApplyDeps, eventId: string): Promise<void> {
  const { pool } = deps;
  const { rows } = await pool.query<{ facts: unknown }>(
    "select facts from payment_event where id = $1",
    [eventId],
  );
  if (rows[0] === undefined) return;
  const outcome = await apply(deps, eventFacts.parse(rows[0].facts));
  await pool.query("update payment_event set handled_at = now(), outcome = $2 where id = $1", [
    eventId,
    outcome,
  ]);
}
