/** Accounts that pay for plans by card, whose time a test moves on. */
import { cancelAccountPlan, setAccountPlan } from "@/lib/commands/account-plans";
import type { PlanInput } from "@/lib/commands/plan-input";
import { payPlanByCard, startPayingPlan } from "@/lib/commands/plan-payments";
import { createPlan } from "@/lib/commands/plans";
import { checkSavedCard } from "@/lib/commands/saved-card";
import { sweepPlans } from "@/lib/plans/sweep-plans";
import { showAccountPlan } from "@/lib/queries/plans";
import { sweepPayments } from "@/lib/topup/payments";
import { type AutoTopupSite, startAutoTopupSite } from "./auto-topup-site";
import { chargeOf, disputeOf } from "./stripe";
import type { CardKind } from "./stripe-cards";

const returnUrl = "http://localhost:3000/points";
const person = "user_1";
const terms: PlanInput = {
  name: "Small",
  note: null,
  groupId: null,
  points: 100_000_000n,
  period: "day",
  hours: null,
  rolloverPercent: 0,
  amount: 900,
  currency: "eur",
  isOffered: true,
};

/** What a test's time moves, of an account. */
const moved = {
  payment: ["created_at", "checked_at", "paid_at", "credited_at"],
  auto_topup_charge: ["created_at"],
  account_plan: ["anchor_at", "period_starts_at", "period_ends_at", "retry_at", "unpaid_until"],
  point_lot: ["ends_at"],
};

/** What a person does about plans. */
function buyers({ deps, fake, payments }: AutoTopupSite) {
  const newPlan = async (changes: Partial<PlanInput> = {}) =>
    (await createPlan(deps, "cli", { ...terms, ...changes })).id;
  /** Opens the page on which a plan is paid. */
  async function open(accountId: string, planId: string, periods = 1) {
    const order = { accountId, planId, returnUrl, periods };
    const { paymentId } = await startPayingPlan(deps, fake.stripe, person, order);
    return { paymentId, session: fake.sessionOf(paymentId) };
  }
  /** Pays on that page, as the person would. */
  async function pay(
    accountId: string,
    { paymentId, session }: Awaited<ReturnType<typeof open>>,
    card: CardKind = "good",
  ) {
    fake.payBy(session.id, card);
    await payments.send("checkout.session.completed", session);
    await checkSavedCard(deps, fake.stripe, { accountId, id: paymentId });
    return { paymentId, intent: String(session.payment_intent) };
  }
  const buy = async (accountId: string, planId: string, card?: CardKind, periods?: number) =>
    pay(accountId, await open(accountId, planId, periods), card);
  /** A new account on a plan of its own that it pays for. */
  async function subscriber(changes: Partial<PlanInput> = {}, card?: CardKind, periods?: number) {
    const accountId = await payments.newAccount();
    const planId = await newPlan(changes);
    return { accountId, planId, ...(await buy(accountId, planId, card, periods)) };
  }
  return {
    ...{ newPlan, open, pay, buy, subscriber },
    payByCard: (accountId: string, planId: string, periods?: number) =>
      payPlanByCard(deps, person, { accountId, planId, periods }),
    operatorSets: (accountId: string, planId: string) =>
      setAccountPlan(deps, "cli", { accountId, planId, when: "now", isOwn: false }),
    cancel: (accountId: string, when: "now" | "period_end" = "period_end") =>
      cancelAccountPlan(deps, person, { accountId, when }),
  };
}

/** What the payment provider says of money that went back. */
const providers = ({ payments: { send } }: AutoTopupSite) => ({
  refund: (intent: string, amount: number) => send("charge.refunded", chargeOf(intent, amount)),
  dispute: (intent: string, status: string, amount = 900) =>
    send("charge.dispute.updated", disputeOf(intent, status, amount)),
});

export async function startPlanPayments() {
  const site = await startAutoTopupSite();
  const { deps, owner } = site;
  const { pool } = deps;
  async function pass(accountId: string, hours: number): Promise<void> {
    for (const [table, columns] of Object.entries(moved)) {
      const set = columns.map((name) => `${name} = ${name} - $2::interval`).join(", ");
      const values = [accountId, `${hours} hours`];
      await owner.query(`alter table ${table} disable trigger user`);
      await owner.query(`update ${table} set ${set} where account_id = $1`, values);
      await owner.query(`alter table ${table} enable trigger user`);
    }
  }
  /** What the processes do in a minute. */
  async function work(): Promise<void> {
    await sweepPlans(pool);
    await site.sweep();
    await sweepPayments(deps, null);
    await sweepPlans(pool);
  }
  async function later(accountId: string, hours: number): Promise<void> {
    await pass(accountId, hours);
    await work();
  }
  const entries = async (accountId: string) =>
    (
      await site.rowsOf<{ line: string }>(
        `select kind || ' ' || trim_scale(amount / 1e6) as line from ledger_entry where account_id = $1 order by id`,
        accountId,
      )
    ).map(({ line }) => line);
  const view = async (accountId: string) =>
    (await showAccountPlan({ pool }, { accountId })).current;
  const spend = (accountId: string, points: number) => site.move(accountId, "adjust_down", points);
  const acts = { pass, work, later, entries, view, spend };
  return { ...site, ...buyers(site), ...providers(site), ...acts };
}
