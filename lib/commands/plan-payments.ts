/** Commands by which an account's people pay for a plan by card. */
import type pg from "pg";
import { inTransaction } from "../db/transaction";
import { type AccountPlan, lockAccountPlan, type PlanTerms } from "../plans/account-plan";
import { setRenewal } from "../plans/renewals";
import { assertAccountActive } from "../topup/payments";
import type { Stripe } from "../topup/stripe";
import { assertOpen, change, noPlan, refused, wantedPlan } from "./account-plans";
import { type Cardholder, customerOf, payAndSave } from "./card-pages";
import type { CommandDeps } from "./command-deps";

interface WantedPlan {
  readonly accountId: string;
  readonly planId: string;
}

async function pricedPlan(client: pg.ClientBase, planId: string): Promise<PlanTerms> {
  const plan = await wantedPlan(client, planId, true);
  if (plan.amount === null)
    refused("plan", `The plan ${JSON.stringify(plan.name)} is free: choose it.`);
  return plan;
}

/** Refuses a payment that would buy nothing: the plan is paid already, or further periods of another one are. */
function assertPayable(own: AccountPlan | undefined, planId: string): void {
  if (own === undefined) return;
  if (own.status === "paused") refused("plan", "The account's plan is paused. Ask the operator.");
  if (own.planId !== planId) {
    if (own.periodsPaid + (own.periodsLeft ?? 0) > 0)
      refused("plan", "Further periods of the account's plan are paid. Change it after them.");
    return;
  }
  if (own.periodsLeft === null) refused("plan", "The account is on this plan without a payment.");
  if (own.periodsPaid > 0 || (own.renewalAmount !== null && own.unpaidUntil === null))
    refused("plan", "This plan is paid by the saved card already.");
}

/**
 * Opens the payment of a period of a plan: it begins once it is paid, and ends the period that runs of
 * another one. The person agrees that the card is saved and charged for the periods that follow. Rejects
 * with `invalid_value`, and as `startPayment`.
 */
export async function startPayingPlan(
  deps: Pick<CommandDeps, "pool" | "ledger">,
  stripe: Stripe,
  actor: string,
  order: Cardholder & WantedPlan,
): Promise<{ paymentId: string; url: string }> {
  const { accountId, planId } = order;
  await assertAccountActive(deps.pool, accountId);
  await inTransaction(deps.pool, async (client) => {
    assertPayable(await lockAccountPlan(client, accountId), planId);
    await pricedPlan(client, planId);
  });
  const customerId = await customerOf(deps.pool, stripe, accountId);
  return payAndSave(deps, stripe, actor, { ...order, customerId });
}

const savedCard = "select from auto_topup where account_id = $1 and card_id is not null";
const follow = "update account_plan set next_plan_id = $2, ends_with_period = false where id = $1";

/**
 * Lets the saved card pay for a plan from the next period on, at its price of now: the plan that the
 * account is on, also one that was cancelled, or another one. Rejects with `not_found`, `invalid_value`.
 */
export async function payPlanByCard(
  deps: Pick<CommandDeps, "pool">,
  actor: string,
  { accountId, planId }: WantedPlan,
): Promise<void> {
  await change(deps, { actor, accountId }, async (client, own) => {
    await assertOpen(client, accountId);
    if (own === undefined) throw noPlan();
    const plan = await pricedPlan(client, planId);
    const isSame = own.planId === planId;
    if (isSame && own.periodsLeft === null)
      refused("plan", "The account is on this plan without a payment.");
    if (!isSame && (own.periodsLeft ?? 0) > 0)
      refused("plan", "Vouchers paid for further periods. Change the plan after them.");
    if ((await client.query(savedCard, [accountId])).rowCount !== 1)
      refused("card", "No card is saved. Pay for the plan once: that saves one.");
    await setRenewal(client, own.id, null);
    await client.query(follow, [own.id, isSame ? null : planId]);
    await setRenewal(client, own.id, plan);
  });
}
