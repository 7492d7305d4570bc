/** Paying or cancelling a payment that is still open. */
import type pg from "pg";
import { RelayError } from "../failures/relay-error";
import type { Ledger } from "../ledger/core/verbs";
import { applySession } from "./apply-facts";
import { factsOfSession } from "./payment-facts";
import { endCheckout, readCheckout, type Stripe } from "./stripe";

interface PaymentDeps {
  readonly pool: pg.Pool;
  readonly ledger: Ledger;
}

interface OwnPayment {
  readonly accountId: string;
  readonly paymentId: string;
}

const over = () =>
  new RelayError("invalid_value", {
    param: "id",
    message: "The payment can no longer be paid. Buy again.",
    fault: { name: "payment_over" },
  });

/** The provider's session of a payment that waits for its buyer. Rejects with `not_found`, `invalid_value`. */
async function waitingSession(
  { pool }: PaymentDeps,
  { accountId, paymentId }: OwnPayment,
): Promise<string> {
  const { rows } = await pool.query<{ session_id: string | null; status: string }>(
    "select session_id, status from payment where id = $1 and account_id = $2",
    [paymentId, accountId],
  );
  const payment = rows[0];
  if (payment === undefined) throw new RelayError("not_found");
  if (payment.status !== "created" || payment.session_id === null) throw over();
  return payment.session_id;
}

/**
 * The page on which an open payment is paid. Where that page is over, what became of the payment is
 * applied. Rejects with `not_found`, `invalid_value` for a payment that is over,
 * `payments_unavailable`.
 */
export async function continuePayment(
  deps: PaymentDeps,
  stripe: Stripe,
  own: OwnPayment,
): Promise<{ paymentId: string; url: string }> {
  const session = await readCheckout(stripe, await waitingSession(deps, own));
  if (session.status === "open" && session.url != null)
    return { paymentId: own.paymentId, url: session.url };
  await applySession(deps, factsOfSession(session));
  throw over();
}

/**
 * Ends an open payment, so that it can no longer be paid. One that was paid meanwhile is credited.
 * Rejects as `continuePayment`.
 */
export async function cancelPayment(
  deps: PaymentDeps,
  stripe: Stripe,
  own: OwnPayment,
): Promise<void> {
  const session = await endCheckout(stripe, await waitingSession(deps, own));
  await applySession(deps, factsOfSession(session));
}
