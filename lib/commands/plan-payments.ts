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
  /** How many are paid at once; absent for one. */
  readonly periods?: number | undefined;
}

/** The plan at the price of so many periods at once. */
async function pricedPlan(
  client: pg.ClientBase,
  { planId, periods = 1 }: WantedPlan,
): Promise<PlanTerms & { readonly periods: number }> {
  const plan = await wantedPlan(client, planId, true);
  const [name, { advancePeriods: most }] = [JSON.stringify(plan.name), plan];
  if (plan.amount === null) refused("plan", `The plan ${name} is free: choose it.`);
  if (periods === 1) return { ...plan, periods };
  if (periods === most) return { ...plan, periods, amount: plan.advanceAmount };
  const sold = most === null ? "one period at a time" : `1 or ${most} periods at once`;
  refused("periods", `The periods are ${periods}; the plan ${name} is sold for ${sold}.`);
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
 * Opens the payment of periods of a plan: the first begins once it is paid, and ends the period that runs
 * of another one. The person agrees that the card is saved and charged for those that follow, as many at
 * once. Rejects with `invalid_value`, and as `startPayment`.
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
    await pricedPlan(client, order);
  });
  const customerId = await customerOf(deps.pool, stripe, accountId);
  const { returnUrl, periods = 1 } = order;
  const sale = { accountId, planId, returnUrl, periods, customerId };
  return payAndSave(deps, stripe, actor, sale);
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
  wanted: WantedPlan,
): Promise<void> {
  const { accountId, planId } = wanted;
  await change(deps, { actor, accountId }, async (client, own) => {
    await assertOpen(client, accountId);
    if (own === undefined) throw noPlan();
    const plan = await pricedPlan(client, wanted);
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
