/** Saving a card for automatic charges, on a page of the payment provider; and removing it. */
import type pg from "pg";
import { recordAction } from "../accounts/actions";
import { newId } from "../crypto/ids";
import { inTransaction } from "../db/transaction";
import { RelayError } from "../failures/relay-error";
import { lockAccountPlan } from "../plans/account-plan";
import { cancelRenewal, retryWithCard } from "../plans/renewals";
import { assertAutoTopupOn } from "../topup/auto-topup-switch";
import { assertAccountActive } from "../topup/payments";
import type { Stripe } from "../topup/stripe";
import { createCardPage, readCardPage } from "../topup/stripe-cards";
import {
  type Cardholder,
  customerOf,
  insertCheckout,
  payAndSave,
  refusedByCount,
} from "./card-pages";
import type { CommandDeps } from "./command-deps";

type Deps = Pick<CommandDeps, "pool">;

const paysPlan =
  "select from account_plan where account_id = $1 and status <> 'ended' and renewal_amount is not null";

/**
 * Opens the page on which a card is saved. Rejects with `account_suspended`,
 * `payment_rate_limited`, `payments_unavailable`.
 */
export async function startSavingCard(
  { pool }: Deps,
  stripe: Stripe,
  actor: string,
  { accountId, returnUrl }: Cardholder,
): Promise<{ url: string }> {
  if ((await pool.query(paysPlan, [accountId])).rowCount === 0) await assertAutoTopupOn(pool);
  await assertAccountActive(pool, accountId);
  const customerId = await customerOf(pool, stripe, accountId);
  const id = newId("cardCheckout");
  await pool
    .query(insertCheckout, [id, accountId, customerId, actor, null, null])
    .catch(refusedByCount);
  const page = await createCardPage(stripe, { id, customerId, returnUrl });
  await pool.query("update card_checkout set session_id = $2 where id = $1", [id, page.id]);
  return { url: page.url };
}

/**
 * Opens an ordinary purchase of the package that is bought automatically, on which the person
 * confirms the card for what follows. Rejects as `startPayment`, and with `not_found` without terms.
 */
export async function startConfirming(
  deps: Pick<CommandDeps, "pool" | "ledger">,
  stripe: Stripe,
  actor: string,
  { accountId, returnUrl }: Cardholder,
): Promise<{ url: string }> {
  await assertAutoTopupOn(deps.pool);
  const { rows } = await deps.pool.query<{ customer_id: string; package_id: string | null }>(
    "select customer_id, package_id from auto_topup where account_id = $1",
    [accountId],
  );
  const [terms] = rows;
  if (terms === undefined || terms.package_id === null)
    throw new RelayError("not_found", { message: "Automatic top-up has not been set up." });
  const { customer_id: customerId, package_id: packageId } = terms;
  return payAndSave(deps, stripe, actor, { accountId, packageId, returnUrl, customerId });
}

interface CheckoutRow {
  readonly id: string;
  readonly account_id: string;
  readonly customer_id: string;
  readonly session_id: string;
  readonly started_by: string;
}

const claim = `
update card_checkout set checked_at = now() where id = any($1) and finished_at is null and session_id is not null
   and coalesce(checked_at < now() - interval '3 seconds', true)
returning id, account_id, customer_id, session_id, started_by`;

const forgetOldCard = `
insert into stripe_removal (id) select card_id from auto_topup where account_id = $1 and card_id is not null and card_id is distinct from $2
on conflict do nothing`;
/** A new card ends a pause that the old one was the reason of. */
const saveCard = `
update auto_topup set card_id = $3, card_brand = $4, card_last4 = $5, card_expires = $6, failures = 0, retry_at = null, updated_at = now(),
  paused = case when paused in ('needs_person', 'card_declined', 'card_gone') then null else paused end,
  paused_at = case when paused in ('needs_person', 'card_declined', 'card_gone') then null else paused_at end
 where account_id = $1 and customer_id = $2`;

const awaitsPoints = `
select from card_checkout c join payment p on p.id = c.payment_id
 where c.id = $1 and p.credited_at is null and p.status not in ('failed', 'expired')`;

/**
 * Saves the card of a page, once. A card that was confirmed by a purchase waits for its points:
 * without them, the balance is still below the threshold, and the card would be charged again.
 */
async function finishCheckout(pool: pg.Pool, stripe: Stripe, row: CheckoutRow): Promise<void> {
  const { account_id: accountId, customer_id: customerId } = row;
  const { isOver, card } = await readCardPage(stripe, { sessionId: row.session_id, customerId });
  if (!isOver) return;
  if (card !== null && (await pool.query(awaitsPoints, [row.id])).rowCount !== 0) return;
  await inTransaction(pool, async (client) => {
    // The plan before its card, in the order of a charge.
    await lockAccountPlan(client, accountId);
    const finished = await client.query(
      "update card_checkout set finished_at = now() where id = $1 and finished_at is null",
      [row.id],
    );
    if (finished.rowCount !== 1 || card === null) return;
    await client.query("select from auto_topup where account_id = $1 for update", [accountId]);
    await client.query(forgetOldCard, [accountId, card.id]);
    const { id, brand, last4, expires } = card;
    const values = [accountId, customerId, id, brand, last4, expires];
    // None for an account that was closed meanwhile.
    if ((await client.query(saveCard, values)).rowCount !== 1) return;
    await retryWithCard(client, accountId);
    await client.query("delete from stripe_removal where id = $1", [id]);
    const detail = { card: `${brand} ${last4}`, expiresAt: expires };
    await recordAction(client, row.started_by, "card.save", accountId, { detail });
  });
}

async function finishClaimed(pool: pg.Pool, stripe: Stripe, ids: readonly string[]): Promise<void> {
  const { rows } = await pool.query<CheckoutRow>(claim, [ids]);
  for (const row of rows) await finishCheckout(pool, stripe, row);
}

/** For a person who returns from the page. Rejects with `not_found` for another account's. */
export async function checkSavedCard(
  { pool }: Deps,
  stripe: Stripe,
  { accountId, id }: { accountId: string; id: string },
): Promise<void> {
  const { rows } = await pool.query<{ id: string }>(
    "select id from card_checkout where (id = $1 or payment_id = $1) and account_id = $2",
    [id, accountId],
  );
  const [row] = rows;
  if (row !== undefined) return finishClaimed(pool, stripe, [row.id]);
  // An ordinary purchase saves no card; the page asks all the same when its buyer returns.
  const own = "select from payment where id = $1 and account_id = $2";
  if ((await pool.query(own, [id, accountId])).rowCount === 0) throw new RelayError("not_found");
}

/** Finishes pages from which nobody returned. Safe to run anywhere, any time. */
export async function finishCardCheckouts({ pool }: Deps, stripe: Stripe | null): Promise<void> {
  if (stripe === null) return;
  const { rows } = await pool.query<{ id: string }>(
    `select id from card_checkout where finished_at is null and session_id is not null and created_at > now() - interval '26 hours'
        and coalesce(checked_at < now() - interval '1 minute', true) order by checked_at nulls first limit 20`,
  );
  await finishClaimed(
    pool,
    stripe,
    rows.map(({ id }) => id),
  );
}

/**
 * Removes the card, here and at the payment provider. A plan that it pays for ends with the periods that
 * are paid. Repeating it changes nothing.
 */
export function removeCard(
  { pool }: Deps,
  actor: string,
  { accountId }: { accountId: string },
): Promise<void> {
  return inTransaction(pool, async (client) => {
    await cancelRenewal(client, accountId);
    const { rows } = await client.query<{ card: string }>(
      "select card_brand || ' ' || card_last4 as card from auto_topup where account_id = $1 and card_id is not null for update",
      [accountId],
    );
    const [row] = rows;
    if (row === undefined) return;
    await client.query(forgetOldCard, [accountId, null]);
    await client.query(
      `update auto_topup set is_on = false, card_id = null, card_brand = null, card_last4 = null, card_expires = null,
              paused = null, paused_at = null, failures = 0, retry_at = null, updated_at = now() where account_id = $1`,
      [accountId],
    );
    const detail = { card: row.card };
    await recordAction(client, actor, "card.remove", accountId, { detail });
  });
}
