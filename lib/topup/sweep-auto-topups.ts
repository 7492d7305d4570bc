/** Charges of saved cards, from the fall of a balance or the end of a plan's period to the credit. */
import type pg from "pg";
import type { Ledger } from "../ledger/core/verbs";
import { isAutoTopupOn } from "./auto-topup-switch";
import { openCharges } from "./open-charges";
import { openRenewals } from "./open-renewals";
import { isTimeToAsk, settleCharge } from "./settle-charge";
import type { Stripe } from "./stripe";
import { forgetAtStripe } from "./stripe-cards";

const AT_ONCE = 50;

const openNow = `
select c.payment_id from auto_topup_charge c join payment p on p.id = c.payment_id
 where c.ended_at is null and ${isTimeToAsk} order by p.checked_at nulls first limit ${AT_ONCE}`;

const removals = `
update stripe_removal set tried_at = now() where id in (
  select id from stripe_removal where coalesce(tried_at < now() - interval '10 minutes', true) order by tried_at nulls first limit 20 for update skip locked)
returning id`;

/** Removes cards and customers at the payment provider that are gone here. */
async function forgetRemoved(pool: pg.Pool, stripe: Stripe): Promise<void> {
  const { rows } = await pool.query<{ id: string }>(removals);
  for (const { id } of rows) {
    await forgetAtStripe(stripe, id);
    await pool.query("delete from stripe_removal where id = $1", [id]);
  }
}

/**
 * Opens a charge for each balance that fell below its threshold, unless operators switched that
 * off, and for each plan whose next period is to be paid, and settles open ones. One failure does not
 * stop the others. Safe to run anywhere, any time. Returns how many it opened.
 */
export async function sweepAutoTopups(
  deps: { readonly pool: pg.Pool; readonly ledger: Ledger },
  stripe: Stripe | null,
): Promise<number> {
  if (stripe === null) return 0;
  const topups = (await isAutoTopupOn(deps.pool)) ? await openCharges(deps.pool) : 0;
  const opened = topups + (await openRenewals(deps.pool));
  const { rows } = await deps.pool.query<{ payment_id: string }>(openNow);
  const results = await Promise.allSettled([
    ...rows.map(({ payment_id }) => settleCharge(deps, stripe, payment_id)),
    forgetRemoved(deps.pool, stripe),
  ]);
  const failed = results.find((result) => result.status === "rejected");
  if (failed?.status === "rejected") throw failed.reason;
  return opened;
}
