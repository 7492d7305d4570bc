/** What the saved card of an account is charged for the periods of its plan that follow. */
import type pg from "pg";
import type { PlanFailure } from "../contract/topup-states";
import { lockAccountPlan, type PlanTerms } from "./account-plan";
import { nothingFailed } from "./plan-events";

/** As `nothingFailed`, for Prisma. */
export const noFailure = { failures: 0, failure: null, retryAt: null, unpaidUntil: null };

/** How long a plan that is not paid waits, after its period or after the failure. */
const UNPAID_DAYS = 7;
/** A card that was declined is charged again after one day, two, and three. */
const PLAN_FAILURES_MAX = 4;

/** The terms to which the account's people agree; null: no card is charged any more. */
export async function setRenewal(
  client: pg.ClientBase,
  accountPlanId: string,
  terms: (Pick<PlanTerms, "points" | "amount" | "currency"> & { readonly periods: number }) | null,
): Promise<void> {
  await client.query(
    `update account_plan set renewal_points = $2, renewal_amount = $3, renewal_currency = $4, renewal_periods = $5, ${nothingFailed} where id = $1`,
    [
      accountPlanId,
      terms?.points ?? null,
      terms?.amount ?? null,
      terms?.currency ?? null,
      terms?.periods ?? 1,
    ],
  );
}

/** A plan that was to be paid by the card ends with the periods that are paid. */
export async function cancelRenewal(client: pg.ClientBase, accountId: string): Promise<void> {
  await lockAccountPlan(client, accountId);
  await client.query("select plan_cancel_renewal($1)", [accountId]);
}

const count = `
update account_plan set failures = failures + 1, failure = $2,
  unpaid_until = case when failures + 1 >= ${PLAN_FAILURES_MAX} then greatest(now(), period_ends_at)
    else coalesce(unpaid_until, greatest(now(), period_ends_at) + interval '${UNPAID_DAYS} days') end,
  retry_at = case when $2 = 'card_declined' and failures + 1 < ${PLAN_FAILURES_MAX} then now() + make_interval(days => failures + 1) end
 where id = $1 and status = 'active' and renewal_amount is not null`;

/** Counts a charge that failed, unless the plan was paused meanwhile. Only a card that was declined is charged again by itself. */
export async function countPlanFailure(
  client: pg.ClientBase,
  accountPlanId: string,
  reason: PlanFailure,
): Promise<void> {
  await client.query(count, [accountPlanId, reason]);
}

/** A card that was saved is charged at once for what is not paid. */
export async function retryWithCard(client: pg.ClientBase, accountId: string): Promise<void> {
  await client.query(
    "update account_plan set failures = 0, retry_at = null where account_id = $1 and status <> 'ended' and failures > 0",
    [accountId],
  );
}
