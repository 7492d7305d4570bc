/** Pages of the payment provider on which a card is saved: its customer, and a payment that saves it. */
import type pg from "pg";
import { newId } from "../crypto/ids";
import { isCountLimit } from "../db/database-errors";
import { RelayError } from "../failures/relay-error";
import { startPayment } from "../topup/payments";
import type { Stripe } from "../topup/stripe";
import { createCustomer } from "../topup/stripe-cards";
import type { CommandDeps } from "./command-deps";

export interface Cardholder {
  readonly accountId: string;
  /** The page to which the person returns. */
  readonly returnUrl: string;
}

/** The payment provider's customer for an account, made by the first saved card. */
export async function customerOf(
  pool: pg.Pool,
  stripe: Stripe,
  accountId: string,
): Promise<string> {
  const find = "select customer_id from auto_topup where account_id = $1";
  const { rows } = await pool.query<{ customer_id: string }>(find, [accountId]);
  if (rows[0] !== undefined) return rows[0].customer_id;
  const made = await createCustomer(stripe, accountId);
  await pool.query(
    // Waits for an end of the account, which would remove the row.
    `insert into auto_topup (account_id, customer_id) select id, $2 from account where id = $1 and status = 'active' for share
     on conflict (account_id) do nothing`,
    [accountId, made],
  );
  const after = await pool.query<{ customer_id: string }>(find, [accountId]);
  if (after.rows[0] === undefined) throw new RelayError("account_suspended");
  return after.rows[0].customer_id;
}

export const insertCheckout = `
insert into card_checkout (id, account_id, customer_id, started_by, session_id, payment_id) values ($1, $2, $3, $4, $5, $6)`;

export function refusedByCount(error: unknown): never {
  throw isCountLimit(error)
    ? new RelayError("payment_rate_limited", { retryAfterSeconds: 600 })
    : error;
}

/** Opens a payment of which the card is saved once it is credited. */
export async function payAndSave(
  deps: Pick<CommandDeps, "pool" | "ledger">,
  stripe: Stripe,
  actor: string,
  order: Cardholder & { customerId: string; packageId?: string; planId?: string; periods?: number },
): Promise<{ paymentId: string; url: string }> {
  const started = await startPayment(deps, stripe, { ...order, email: null });
  const { paymentId, sessionId, url } = started;
  const { accountId, customerId } = order;
  await deps.pool
    .query(insertCheckout, [
      newId("cardCheckout"),
      accountId,
      customerId,
      actor,
      sessionId,
      paymentId,
    ])
    .catch(refusedByCount);
  return { paymentId, url };
}
