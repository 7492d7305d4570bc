/**
 * Buying points: a payment is opened for a package or periods of a plan, followed, and completed even if
 * messages are late or lost.
 */
import type pg from "pg";
import { newId } from "../crypto/ids";
import { isCountLimit } from "../db/database-errors";
import { invalidValue, RelayError } from "../failures/relay-error";
import type { Ledger } from "../ledger/core/verbs";
import { applyEvent, applySession, finishPayment } from "./apply-facts";
import { factsOfSession, readEvent } from "./payment-facts";
import { createCheckout, isSignedByStripe, readCheckout, type Stripe } from "./stripe";

const CHECKOUT_SECONDS = 3600;

interface PaymentDeps {
  readonly pool: pg.Pool;
  readonly ledger: Ledger;
}

interface Buyer {
  readonly accountId: string;
  readonly email: string | null;
  /** One of both. */
  readonly packageId?: string;
  readonly planId?: string;
  /** Of a plan: how many are paid at once; absent for one. */
  readonly periods?: number;
  /** The page to which the buyer returns. */
  readonly returnUrl: string;
  /** The payment provider's customer whose card is saved by the purchase. */
  readonly customerId?: string | undefined;
}

/** SQL: what the buyer reads that a number of periods of a plan is called. */
export const planName = (name: string, periods: string) =>
  `case when ${periods} > 1 then ${name} || ' × ' || ${periods} else ${name} end`;
const columns =
  "id, account_id, package_id, package_name, plan_id, points, amount, currency, periods";
const ofPackage = `
insert into payment (${columns}) select $1, $2, id, name, null, points, amount, currency, $4::smallint from topup_package where id = $3 and is_enabled`;
const ofPlan = `
insert into payment (${columns})
select $1, $2, id, ${planName("name", "$4::smallint")}, id, points, case when $4 = 1 then amount else advance_amount end, currency, $4 from plan
 where id = $3 and is_offered and retired_at is null and amount is not null and $4 in (1, advance_periods)`;

/** Rejects with `account_suspended`. */
export async function assertAccountActive(pool: pg.Pool, accountId: string): Promise<void> {
  const { rows } = await pool.query<{ status: string }>(
    "select status from account where id = $1",
    [accountId],
  );
  if (rows[0]?.status !== "active") throw new RelayError("account_suspended");
}

/**
 * Opens a payment for a package or a plan at its price, and returns the address to pay at. Rejects
 * with `not_found` for one that is not sold, `account_suspended`, `payment_rate_limited`,
 * `payments_unavailable`.
 */
export async function startPayment(
  deps: PaymentDeps,
  stripe: Stripe,
  buyer: Buyer,
): Promise<{ paymentId: string; sessionId: string; url: string }> {
  const { pool } = deps;
  const { accountId, planId, periods = 1 } = buyer;
  await assertAccountActive(pool, accountId);
  const paymentId = newId("payment");
  // The database refuses more than an account may open in an hour.
  const opened = await pool
    .query<{ package_name: string; amount: string; currency: string; now: Date }>(
      `${planId === undefined ? ofPackage : ofPlan} returning package_name, amount, currency, now() as now`,
      [paymentId, accountId, planId ?? buyer.packageId, periods],
    )
    .catch((error: unknown) => {
      throw isCountLimit(error)
        ? new RelayError("payment_rate_limited", { retryAfterSeconds: 600 })
        : error;
    });
  const payment = opened.rows[0];
  if (payment === undefined)
    throw new RelayError("not_found", {
      param: planId === undefined ? "packageId" : "planId",
      message: `This ${planId === undefined ? "package" : "plan"} is no longer sold.`,
    });
  const session = await createCheckout(stripe, {
    paymentId,
    name: payment.package_name,
    amount: Number(payment.amount),
    currency: payment.currency,
    email: buyer.email,
    returnUrl: buyer.returnUrl,
    customerId: buyer.customerId,
    expiresAt: Math.floor(payment.now.getTime() / 1000) + CHECKOUT_SECONDS,
  });
  if (session.url == null || !/^https?:\/\//.test(session.url)) {
    throw new RelayError("payments_unavailable", {
      internal: `session ${session.id} has no address`,
    });
  }
  await pool.query("update payment set session_id = $2 where id = $1 and session_id is null", [
    paymentId,
    session.id,
  ]);
  return { paymentId, sessionId: session.id, url: session.url };
}

/** Asks the payment provider for a payment's state and applies it. */
async function askProvider(
  deps: PaymentDeps,
  stripe: Stripe,
  payment: { id: string; session_id: string },
): Promise<void> {
  await deps.pool.query("update payment set checked_at = now() where id = $1", [payment.id]);
  const session = await readCheckout(stripe, payment.session_id);
  // An open session changes nothing; only its end does.
  if (session.status !== "open" || session.payment_status === "paid")
    await applySession(deps, factsOfSession(session));
}

/**
 * For a buyer who returns before the provider's event: asks the provider at most every 3 s. Rejects
 * with `not_found` for another account's payment.
 */
export async function checkPayment(
  deps: PaymentDeps,
  stripe: Stripe,
  request: { accountId: string; paymentId: string },
): Promise<void> {
  const { rows } = await deps.pool.query<{
    id: string;
    session_id: string | null;
    is_due: boolean;
  }>(
    `select id, session_id, status in ('created', 'pending') and coalesce(checked_at < now() - interval '3 seconds', true) as is_due
       from payment where id = $1 and account_id = $2`,
    [request.paymentId, request.accountId],
  );
  const payment = rows[0];
  if (payment === undefined) throw new RelayError("not_found");
  const { id, session_id } = payment;
  if (payment.is_due && session_id !== null) await askProvider(deps, stripe, { id, session_id });
}

/**
 * Receives an event: verifies its signature, stores it once, applies it. Resolves when that is
 * durable, also for a repetition. Rejects with `invalid_value` when the event is forged, stale or
 * unreadable.
 */
export async function receiveEvent(
  deps: PaymentDeps,
  stripe: Stripe,
  sent: { body: Uint8Array; signature: string | null },
): Promise<void> {
  if (!(await isSignedByStripe(stripe.webhookSecret, sent.body, sent.signature))) {
    throw invalidValue("stripe-signature", "The signature does not match the body, or is too old.");
  }
  let event: ReturnType<typeof readEvent>;
  try {
    event = readEvent(JSON.parse(Buffer.from(sent.body).toString("utf8")));
  } catch (cause) {
    throw new RelayError("invalid_value", { message: "The event is not valid.", cause });
  }
  const { id, type, facts } = event;
  await deps.pool.query(
    "insert into payment_event (id, type, intent_id, facts) values ($1, $2, $3, $4) on conflict (id) do nothing",
    [id, type, facts.intentId, JSON.stringify(facts)],
  );
  const { rows } = await deps.pool.query<{ is_open: boolean }>(
    "select handled_at is null as is_open from payment_event where id = $1",
    [id],
  );
  if (rows[0]?.is_open) await applyEvent(deps, id);
}

/** Runs `work` for each row of a query. A failure does not stop the others. */
async function forEach<Row extends object>(
  found: Promise<{ rows: Row[] }>,
  work: (row: Row) => Promise<void>,
): Promise<number> {
  const { rows } = await found;
  const results = await Promise.allSettled(rows.map((row) => work(row)));
  const failed = results.find((result) => result.status === "rejected");
  if (failed?.status === "rejected") throw failed.reason;
  return rows.length;
}

/**
 * Completes what a crash or a lost message left: events that were stored but not applied, events
 * that came before their payment, payments that were paid but not credited, and (with a provider)
 * payments without any event. Safe to run anywhere, any time. Returns how many it handled.
 */
export async function sweepPayments(deps: PaymentDeps, stripe: Stripe | null): Promise<number> {
  const { pool } = deps;
  const events = await forEach(
    pool.query<{ id: string }>(
      `(select id from payment_event where handled_at is null and received_at < now() - interval '10 seconds' order by received_at limit 50)
       union all
       (select e.id from payment_event e join payment p using (intent_id) where e.outcome = 'no_payment' and e.facts ->> 'about' not in ('session', 'intent') limit 50)`,
    ),
    ({ id }) => applyEvent(deps, id),
  );
  const uncredited = await forEach(
    pool.query<{ id: string }>(
      "select id from payment where paid_at < now() - interval '10 seconds' and credited_at is null order by paid_at limit 50",
    ),
    ({ id }) => finishPayment(deps, id),
  );
  await pool.query(
    "update payment set status = 'expired' where status = 'created' and session_id is null and created_at < now() - interval '2 hours'",
  );
  if (stripe === null) return events + uncredited;
  const silent = await forEach(
    pool.query<{ id: string; session_id: string }>(
      `select id, session_id from payment where status in ('created', 'pending') and session_id is not null
          and created_at between now() - interval '40 days' and now() - interval '10 minutes'
          and coalesce(checked_at < now() - interval '10 minutes', true) order by checked_at nulls first limit 20`,
    ),
    (payment) => askProvider(deps, stripe, payment),
  );
  return events + uncredited + silent;
}
