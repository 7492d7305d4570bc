/** Plans that are paid by card, as the table in docs/plans.md has them. */
import { expect, test } from "vitest";
import { startPlanPayments } from "@/testing/topup/plan-payments";
import { opened } from "@/testing/unit/opened";
import {
  cancelAccountPlan,
  pauseAccountPlan,
  resumeAccountPlan,
  setAccountPlan,
} from "../commands/account-plans";
import { removeCard } from "../commands/saved-card";
import { listPlans } from "../queries/plans";
import { finishPayment } from "./apply-facts";
import { sweepPayments } from "./payments";

const site = await opened(startPlanPayments());

test("a plan is bought by card, its period begins once, and the card pays for those that follow", async () => {
  const accountId = await site.payments.newAccount();
  const planId = await site.newPlan();
  const opened = await site.open(accountId, planId);
  expect(opened.session).toMatchObject({ amount_total: 900, currency: "eur" });
  expect(await site.entries(accountId)).toEqual([]);
  await site.pay(accountId, opened);
  await Promise.all(
    [1, 2, 3].map(() => site.payments.send("checkout.session.completed", opened.session)),
  );
  await finishPayment(site.deps, opened.paymentId);
  expect(await site.entries(accountId)).toEqual(["plan 100"]);
  const card = { brand: "visa", last4: "4242" };
  expect(await site.view(accountId)).toMatchObject({
    plan: { id: planId },
    endsWithPeriod: false,
    periodsAhead: 0,
    payment: { amount: 900, currency: "eur", points: "100.000000", state: "due", card },
  });
  await expect(site.open(accountId, planId)).rejects.toMatchObject({ param: "plan" });
  const began = (await site.view(accountId))?.periodEndsAt;
  await site.later(accountId, 22);
  expect(await site.chargesOf(accountId)).toEqual([]);
  await site.pass(accountId, 1.5);
  await site.sweepOften();
  await site.work();
  expect(await site.chargesOf(accountId)).toMatchObject([{ status: "paid", outcome: "credited" }]);
  expect(await site.view(accountId)).toMatchObject({ periodsAhead: 1 });
  expect(await site.entries(accountId)).toEqual(["plan 100"]);
  await site.later(accountId, 0.6);
  const each = ["expiry 100", "plan 100"];
  expect(await site.entries(accountId)).toEqual(["plan 100", ...each]);
  for (let day = 0; day < 3; day++) {
    await site.later(accountId, 23.4);
    await site.later(accountId, 0.6);
  }
  expect(await site.entries(accountId)).toEqual(["plan 100", ...each, ...each, ...each, ...each]);
  expect(await site.paid(accountId)).toHaveLength(4);
  // Paid in time, periods do not drift.
  const drift =
    Date.parse((await site.view(accountId))?.periodEndsAt ?? "") - Date.parse(began ?? "");
  expect(Math.abs(drift + 0.1 * 3_600_000)).toBeLessThan(1000);
  expect(await site.toldOf(accountId)).toEqual(Array(5).fill("payment_paid"));
});

test("a declined card is charged four times, the period is not given, and then the plan ends", async () => {
  const { accountId } = await site.subscriber({ rolloverPercent: 50 }, "declined");
  await site.later(accountId, 24.1);
  expect(await site.entries(accountId)).toEqual(["plan 100", "expiry 100"]);
  const failed = { state: "retrying", failure: "card_declined" };
  expect(await site.view(accountId)).toMatchObject({ periodsAhead: 0, payment: failed });
  expect(JSON.stringify(await listPlans(site.deps))).toContain(accountId);
  for (const [hours, charges] of [
    [23, 1],
    [2, 2],
    [47, 2],
    [2, 3],
    [71, 3],
  ] as const) {
    await site.later(accountId, hours);
    expect(await site.chargesOf(accountId)).toHaveLength(charges);
    expect(await site.view(accountId)).not.toBeNull();
  }
  await site.later(accountId, 2);
  await site.work();
  expect(await site.chargesOf(accountId)).toHaveLength(4);
  expect(await site.view(accountId)).toBeNull();
  expect(JSON.stringify(await listPlans(site.deps))).not.toContain(accountId);
  expect(await site.entries(accountId)).toEqual(["plan 100", "expiry 100"]);
  const told = await site.toldOf(accountId);
  expect(told).not.toContain("payment_failed");
  expect(told.filter((line) => line === "plan_unpaid:card_declined")).toHaveLength(4);
  await site.later(accountId, 100);
  expect(await site.chargesOf(accountId)).toHaveLength(4);
});

test("a bank that wants the person is not asked again; paid on the page, the period begins then", async () => {
  const { accountId, planId } = await site.subscriber({}, "asks");
  await site.later(accountId, 24.1);
  const unpaid = { state: "unpaid", failure: "needs_person", retryAt: null };
  expect(await site.view(accountId)).toMatchObject({ payment: unpaid });
  await site.later(accountId, 72);
  expect(await site.chargesOf(accountId)).toHaveLength(1);
  expect(await site.toldOf(accountId)).toEqual(["payment_paid", "plan_unpaid:needs_person"]);
  const [before] = await site.rowsOf<{ now: Date }>(
    "select now() as now where $1 <> ''",
    accountId,
  );
  await site.buy(accountId, planId);
  expect(await site.entries(accountId)).toEqual(["plan 100", "expiry 100", "plan 100"]);
  const view = await site.view(accountId);
  expect(view).toMatchObject({ payment: { state: "due", failure: null, card: { last4: "4242" } } });
  expect(Date.parse(view?.periodStartsAt ?? "")).toBeGreaterThanOrEqual(before?.now.getTime() ?? 0);
  await site.later(accountId, 24.1);
  expect((await site.entries(accountId)).slice(3)).toEqual(["expiry 100", "plan 100"]);
});

test("nobody pays in time: the plan ends after seven days; a new card pays at once", async () => {
  const late = await site.subscriber({}, "gone");
  await site.later(late.accountId, 24.1);
  await site.later(late.accountId, 24 * 6.9);
  expect(await site.view(late.accountId)).toMatchObject({ payment: { failure: "card_gone" } });
  await site.later(late.accountId, 3);
  expect(await site.view(late.accountId)).toBeNull();
  expect((await site.toldOf(late.accountId)).slice(-1)).toEqual(["plan_unpaid:card_gone"]);
  const { accountId } = await site.subscriber({}, "declined");
  await site.later(accountId, 25);
  await site.saveCard(accountId);
  await site.work();
  expect(await site.entries(accountId)).toEqual(["plan 100", "expiry 100", "plan 100"]);
});

test("events in any order: money that was back before its period is taken when it begins", async () => {
  const accountId = await site.payments.newAccount();
  const opened = await site.open(accountId, await site.newPlan());
  site.fake.payBy(opened.session.id, "good");
  await site.refund(String(opened.session.payment_intent), 450);
  await site.payments.send("checkout.session.completed", opened.session);
  expect(await site.entries(accountId)).toEqual(["plan 100", "clawback 50"]);
  // The next period is paid, and a part of that paid back, before it begins.
  await site.pay(accountId, opened);
  await site.later(accountId, 23.4);
  const [renewal] = await site.paid(accountId);
  await site.refund(renewal?.id ?? "", 90);
  expect(await site.view(accountId)).toMatchObject({ periodsAhead: 1 });
  await site.later(accountId, 0.7);
  const second = ["expiry 50", "plan 100", "clawback 10"];
  expect((await site.entries(accountId)).slice(2)).toEqual(second);
  // A period of which all is paid back does not begin.
  await site.later(accountId, 23.4);
  const renewed = (await site.paid(accountId)).find(({ id }) => id !== renewal?.id);
  await site.refund(renewed?.id ?? "", 900);
  await site.later(accountId, 0.7);
  expect((await site.entries(accountId)).slice(5)).toEqual(["expiry 90"]);
  expect(await site.view(accountId)).toBeNull();
});

test("another plan that is bought begins now; one that is chosen is charged with the next period", async () => {
  const { accountId, planId } = await site.subscriber();
  const large = await site.newPlan({ points: 300_000_000n, amount: 2000 });
  await site.spend(accountId, 40);
  await site.buy(accountId, large);
  const now = ["plan 100", "adjust_down 40", "expiry 60", "plan 300"];
  expect(await site.entries(accountId)).toEqual(now);
  expect(await site.view(accountId)).toMatchObject({
    plan: { id: large },
    payment: { amount: 2000 },
  });
  await site.payByCard(accountId, planId);
  const next = { next: { id: planId }, payment: { amount: 900, points: "100.000000" } };
  expect(await site.view(accountId)).toMatchObject(next);
  await site.later(accountId, 23.4);
  await site.later(accountId, 0.7);
  expect((await site.entries(accountId)).slice(4)).toEqual(["expiry 300", "plan 100"]);
  expect((await site.paid(accountId)).map(({ amount }) => amount)).toEqual([900]);
  expect(await site.view(accountId)).toMatchObject({ plan: { id: planId }, next: null });
  // What was charged for a plan is given, also where another one was chosen after that.
  await site.payByCard(accountId, large);
  await site.later(accountId, 23.2);
  await site.payByCard(accountId, planId);
  await site.later(accountId, 0.7);
  expect((await site.entries(accountId)).slice(6)).toEqual(["expiry 100", "plan 300"]);
  const back = { plan: { id: large }, next: { id: planId }, payment: { amount: 900 } };
  expect(await site.view(accountId)).toMatchObject(back);
  await site.later(accountId, 24.1);
  expect((await site.entries(accountId)).slice(8)).toEqual(["expiry 300", "plan 100"]);
  expect((await site.paid(accountId)).map(({ amount }) => amount)).toEqual([900, 2000, 900]);
  // A free one is charged for nothing.
  const free = await site.newPlan({ amount: null, currency: null, points: 1_000_000n });
  const wanted = { accountId, planId: free, when: "period_end", isOwn: true } as const;
  await setAccountPlan(site.deps, "user_1", wanted);
  await site.later(accountId, 24.1);
  expect(await site.view(accountId)).toMatchObject({ plan: { id: free }, payment: null });
  expect(await site.paid(accountId)).toHaveLength(3);
});

test("cancelled: nothing more is charged, what is paid is given; kept, it goes on", async () => {
  const { accountId, planId } = await site.subscriber();
  await site.cancel(accountId);
  expect(await site.view(accountId)).toMatchObject({ endsWithPeriod: true, payment: null });
  await site.payByCard(accountId, planId);
  expect(await site.view(accountId)).toMatchObject({
    endsWithPeriod: false,
    payment: { amount: 900 },
  });
  await site.later(accountId, 23.4);
  await site.cancel(accountId);
  expect(await site.view(accountId)).toMatchObject({ endsWithPeriod: true, periodsAhead: 1 });
  await site.later(accountId, 0.7);
  expect(await site.entries(accountId)).toEqual(["plan 100", "expiry 100", "plan 100"]);
  await site.later(accountId, 24);
  expect(await site.view(accountId)).toBeNull();
  expect(await site.paid(accountId)).toHaveLength(1);
  // Without its card nothing can be charged either.
  const other = await site.subscriber();
  await removeCard(site.deps, "user_1", other);
  expect(await site.view(other.accountId)).toMatchObject({ endsWithPeriod: true, payment: null });
  await expect(site.payByCard(other.accountId, other.planId)).rejects.toMatchObject({
    param: "card",
  });
});

test("paused, no card is charged; resumed after the period, the next one begins when it is paid", async () => {
  const { accountId } = await site.subscriber();
  await pauseAccountPlan(site.deps, "cli", { accountId });
  await site.later(accountId, 30);
  expect(await site.chargesOf(accountId)).toEqual([]);
  await resumeAccountPlan(site.deps, "cli", { accountId });
  expect(await site.entries(accountId)).toEqual(["plan 100", "expiry 100"]);
  await site.work();
  expect(await site.entries(accountId)).toEqual(["plan 100", "expiry 100", "plan 100"]);
});

test("paid twice, each payment is a period; an operator is asked to give back what cannot begin", async () => {
  const accountId = await site.payments.newAccount();
  const planId = await site.newPlan();
  const pages = [await site.open(accountId, planId), await site.open(accountId, planId)] as const;
  await Promise.all(pages.map((opened) => site.pay(accountId, opened)));
  expect(await site.entries(accountId)).toEqual(["plan 100"]);
  expect(await site.view(accountId)).toMatchObject({ periodsAhead: 1 });
  await site.later(accountId, 24.1);
  expect(await site.entries(accountId)).toEqual(["plan 100", "expiry 100", "plan 100"]);
  expect(await site.chargesOf(accountId)).toEqual([]);
  await site.later(accountId, 23.4);
  await site.cancel(accountId, "now");
  const [charge] = await site.chargesOf(accountId);
  expect(await site.payments.rowOf(charge?.id ?? "")).toMatchObject({ attention: "period_unused" });
  expect(await site.view(accountId)).toBeNull();
});

test("an operator's plan, and one that vouchers paid, are not paid for twice", async () => {
  const accountId = await site.payments.newAccount();
  const planId = await site.newPlan();
  const wanted = { accountId, planId, when: "period_end", isOwn: false } as const;
  await setAccountPlan(site.deps, "cli", wanted);
  await expect(site.open(accountId, planId)).rejects.toMatchObject({ param: "plan" });
  await site.deps.pool.query("update account_plan set periods_left = 2 where account_id = $1", [
    accountId,
  ]);
  const other = await site.newPlan();
  await expect(site.open(accountId, other)).rejects.toMatchObject({ param: "plan" });
  await site.buy(accountId, planId);
  await site.later(accountId, 24.1);
  await site.later(accountId, 24.1);
  await site.later(accountId, 24.1);
  expect(await site.chargesOf(accountId)).toEqual([]);
  await site.later(accountId, 24.1);
  expect(await site.chargesOf(accountId)).toMatchObject([{ outcome: "credited" }]);
  await setAccountPlan(site.deps, "cli", wanted);
  expect(await site.view(accountId)).toMatchObject({ payment: null, endsWithPeriod: false });
});

test("a payment whose period was not given, as after a kill, gives it once in whichever process", async () => {
  const accountId = await site.payments.newAccount();
  const { paymentId, session } = await site.open(accountId, await site.newPlan());
  site.fake.payBy(session.id, "good");
  await site.deps.pool.query(
    "update payment set status = 'paid', paid_at = now() - interval '1 minute', intent_id = $2 where id = $1",
    [paymentId, session.payment_intent],
  );
  await Promise.all([1, 2, 3, 4].map(() => sweepPayments(site.deps, null)));
  expect(await site.entries(accountId)).toEqual(["plan 100"]);
  await cancelAccountPlan(site.deps, "cli", { accountId, when: "now" });
  await sweepPayments(site.deps, null);
  expect(await site.entries(accountId)).toEqual(["plan 100", "expiry 100"]);
  // All of it is back before it was given: its points are, too, and nothing is charged again.
  const late = await site.open(accountId, await site.newPlan());
  site.fake.payBy(late.session.id, "good");
  await site.deps.pool.query(
    "update payment set status = 'paid', paid_at = now() - interval '1 minute', intent_id = $2, refunded = amount where id = $1",
    [late.paymentId, late.session.payment_intent],
  );
  await sweepPayments(site.deps, null);
  expect((await site.entries(accountId)).slice(2)).toEqual(["plan 100", "clawback 100"]);
  expect(await site.view(accountId)).toMatchObject({ endsWithPeriod: true, payment: null });
});
