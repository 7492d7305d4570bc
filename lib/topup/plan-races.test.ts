/** Plans, prices, cards and accounts that change while a period is being paid, or is not. */
import { expect, test } from "vitest";
import { startPlanPayments } from "@/testing/topup/plan-payments";
import { opened } from "@/testing/unit/opened";
import { pauseAccountPlan, resumeAccountPlan } from "../commands/account-plans";
import { resumeAccount, suspendAccount } from "../commands/accounts";
import { changePlan, retirePlan } from "../commands/plans";
import { auditLedger } from "../ledger/audit/audit";
import { sweepPlans } from "../plans/sweep-plans";

const site = await opened(startPlanPayments());

async function underWay(accountId: string) {
  const [{ id } = { id: "" }] = await site.chargesOf(accountId);
  const intent = [...site.fake.cards.intents.values()].find(
    ({ metadata }) => metadata.payment === id,
  );
  if (intent === undefined) throw new Error("no charge is under way");
  const succeed = () => {
    intent.status = "succeeded";
    intent.amount_received = intent.amount;
    return site.payments.send("payment_intent.succeeded", intent);
  };
  return { intent, succeed };
}

test("a plan that an operator changes and retires while its renewal is charged gives what was agreed to, once", async () => {
  const { accountId, planId } = await site.subscriber({}, "slow");
  await site.later(accountId, 23.4);
  const { intent, succeed } = await underWay(accountId);
  await changePlan(site.deps, "cli", {
    id: planId,
    points: 300_000_000n,
    amount: 2000,
    currency: "usd",
  });
  await retirePlan(site.deps, "cli", { id: planId });
  expect(intent).toMatchObject({ amount: 900, currency: "eur" });
  await site.later(accountId, 0.7);
  expect(await site.entries(accountId)).toEqual(["plan 100", "expiry 100"]);
  await Promise.all([succeed(), succeed(), sweepPlans(site.deps.pool), sweepPlans(site.deps.pool)]);
  expect(await site.entries(accountId)).toEqual(["plan 100", "expiry 100", "plan 100"]);
  expect(await site.paid(accountId)).toMatchObject([{ amount: 900 }]);
  // It stays on the plan at the price that was agreed to.
  expect(await site.view(accountId)).toMatchObject({
    payment: { amount: 900, points: "100.000000" },
  });
});

test("cancelled while its renewal is charged: what is charged is given, and nothing after it", async () => {
  const { accountId } = await site.subscriber({}, "slow");
  await site.later(accountId, 23.4);
  const { succeed } = await underWay(accountId);
  await site.cancel(accountId);
  await site.later(accountId, 0.3);
  await succeed();
  expect(await site.view(accountId)).toMatchObject({ periodsAhead: 1, endsWithPeriod: true });
  await site.later(accountId, 0.4);
  expect(await site.entries(accountId)).toEqual(["plan 100", "expiry 100", "plan 100"]);
  await site.later(accountId, 24.1);
  expect(await site.view(accountId)).toBeNull();
  expect(await site.chargesOf(accountId)).toHaveLength(1);
});

test("ended while its renewal is charged: a period that is paid after the end begins anew", async () => {
  const { accountId } = await site.subscriber({}, "slow");
  await site.later(accountId, 23.4);
  const { succeed } = await underWay(accountId);
  await site.cancel(accountId, "now");
  expect(await site.view(accountId)).toBeNull();
  await succeed();
  expect(await site.entries(accountId)).toEqual(["plan 100", "expiry 100", "plan 100"]);
});

test("a second card that is saved while the first is charged pays only if the first did not", async () => {
  for (const isPaid of [true, false]) {
    const { accountId } = await site.subscriber({}, "slow");
    await site.later(accountId, 23.4);
    const { intent, succeed } = await underWay(accountId);
    site.fake.cards.nextCard = "good";
    await site.saveCard(accountId);
    await site.work();
    expect(await site.chargesOf(accountId)).toHaveLength(1);
    if (isPaid) await succeed();
    else {
      intent.status = "requires_payment_method";
      intent.last_payment_error = { code: "card_declined" };
      await site.pass(accountId, 0.1);
      await site.work();
      await site.pass(accountId, 0.1);
      await site.work();
    }
    await site.later(accountId, 0.7);
    await site.work();
    expect(await site.entries(accountId)).toEqual(["plan 100", "expiry 100", "plan 100"]);
    expect(await site.paid(accountId)).toHaveLength(1);
    expect(await site.view(accountId)).toMatchObject({ payment: { failure: null } });
  }
});

test("after all of it the audit is clean", async () => {
  const { checks } = await auditLedger(site.owner);
  expect(checks.filter(({ ok }) => !ok)).toEqual([]);
});

const suspend: typeof resumeAccount = (deps, actor, of) =>
  suspendAccount(deps, actor, { ...of, reason: "A test." });

test("paused or suspended while it is not paid, a plan does not end: it is charged anew afterwards", async () => {
  const halts = [
    [pauseAccountPlan, resumeAccountPlan],
    [suspend, resumeAccount],
  ] as const;
  for (const [halt, goOn] of halts) {
    const { accountId } = await site.subscriber({}, "asks");
    await site.later(accountId, 24.1);
    await halt(site.deps, "cli", { accountId });
    await site.later(accountId, 24 * 8);
    await site.work();
    expect(await site.chargesOf(accountId)).toHaveLength(1);
    await goOn(site.deps, "cli", { accountId });
    expect(await site.view(accountId)).toMatchObject({ payment: { state: "due" } });
    await site.work();
    expect(await site.chargesOf(accountId)).toHaveLength(2);
    expect(await site.view(accountId)).toMatchObject({ payment: { failure: "needs_person" } });
  }
});
