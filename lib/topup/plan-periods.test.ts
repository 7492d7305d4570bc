/** One payment for several periods of a plan, as the table in docs/plans.md has it. */
import { expect, test } from "vitest";
import { startPlanPayments } from "@/testing/topup/plan-payments";
import { opened } from "@/testing/unit/opened";
import { auditLedger } from "../ledger/audit/audit";
import { finishPayment } from "./apply-facts";
import { sweepPayments } from "./payments";

const site = await opened(startPlanPayments());

const terms = { advancePeriods: 4, advanceAmount: 3000 };
const each = ["expiry 100", "plan 100"];
const ahead = async (accountId: string) => (await site.view(accountId))?.periodsAhead;

/** An account that has paid four periods at once, of which `begun` have begun. */
async function subscriber(begun = 1) {
  const { accountId, planId, intent, paymentId } = await site.subscriber(terms, "good", 4);
  for (let period = 1; period < begun; period++) await site.later(accountId, 24.01);
  return { accountId, planId, intent, paymentId };
}

test("four periods are paid at once and begin one after the other; then the card pays for four more", async () => {
  const { accountId, planId, paymentId } = await subscriber();
  expect(await site.payments.rowOf(paymentId)).toMatchObject({ amount: "3000", periods: 4 });
  await finishPayment(site.deps, paymentId);
  expect(await site.entries(accountId)).toEqual(["plan 100"]);
  expect(await site.view(accountId)).toMatchObject({
    periodsAhead: 3,
    payment: { amount: 3000, periods: 4, points: "100.000000" },
  });
  await expect(site.open(accountId, planId)).rejects.toMatchObject({ param: "plan" });
  for (const left of [2, 1, 0]) {
    await site.later(accountId, 24.01);
    expect(await ahead(accountId)).toBe(left);
    expect(await site.chargesOf(accountId)).toEqual([]);
  }
  expect(await site.entries(accountId)).toEqual(["plan 100", ...each, ...each, ...each]);
  await site.later(accountId, 23.4);
  await site.work();
  expect(await site.paid(accountId)).toMatchObject([{ amount: 3000 }]);
  expect(await ahead(accountId)).toBe(4);
  await site.later(accountId, 0.7);
  expect(await ahead(accountId)).toBe(3);
});

test("it is sold as the plan says, and for as much as was agreed to", async () => {
  const accountId = await site.payments.newAccount();
  const planId = await site.newPlan(terms);
  for (const periods of [2, 5, 60])
    await expect(site.open(accountId, planId, periods)).rejects.toMatchObject({ param: "periods" });
  const plain = await site.newPlan();
  await expect(site.open(accountId, plain, 4)).rejects.toMatchObject({ param: "periods" });
  for (const [param, changes] of [
    ["advance_amount", { advancePeriods: 4 }],
    ["advance_amount", { ...terms, amount: null, currency: null }],
    ["advance_periods", { ...terms, advancePeriods: 1 }],
    ["advance_periods", { ...terms, advancePeriods: 61 }],
    ["advance_amount", { ...terms, advanceAmount: 0 }],
  ] as const)
    await expect(site.newPlan(changes)).rejects.toMatchObject({ param });
  const one = await site.buy(accountId, planId);
  expect(await site.payments.rowOf(one.paymentId)).toMatchObject({ amount: "900", periods: 1 });
  // From the next period on, four at once.
  await site.payByCard(accountId, planId, 4);
  await site.later(accountId, 23.4);
  expect(await site.paid(accountId)).toMatchObject([{ amount: 3000 }]);
  await site.later(accountId, 0.7);
  expect(await ahead(accountId)).toBe(3);
});

test("money that is back is first of the periods that come last, and then of those that began last", async () => {
  const { accountId, intent } = await subscriber(2);
  // A period is 750: one and a half of those that wait do not come, and renewals stop.
  await site.refund(intent, 1125);
  expect(await site.view(accountId)).toMatchObject({ periodsAhead: 1, payment: null });
  expect(await site.entries(accountId)).toEqual(["plan 100", ...each]);
  await site.later(accountId, 24.01);
  const third = ["expiry 100", "plan 100", "clawback 50"];
  expect((await site.entries(accountId)).slice(3)).toEqual(third);
  // All of the third is back, and a fifth of the second, whose points have ended.
  await site.refund(intent, 1650);
  expect((await site.entries(accountId)).slice(6)).toEqual(["clawback 50"]);
  await site.later(accountId, 24.01);
  expect(await site.view(accountId)).toBeNull();
});

test("less than a period that waits takes nothing and stops nothing until that period begins", async () => {
  const { accountId, intent } = await subscriber();
  await site.refund(intent, 75);
  expect(await site.view(accountId)).toMatchObject({ periodsAhead: 3, payment: { amount: 3000 } });
  for (let period = 0; period < 3; period++) await site.later(accountId, 24.01);
  expect((await site.entries(accountId)).slice(-3)).toEqual([...each, "clawback 10"]);
});

test("what was spent of all periods that began is taken back as far as it is there, or returned with a dispute that is won", async () => {
  const { accountId, intent } = await subscriber();
  await site.spend(accountId, 60);
  await site.later(accountId, 24.01);
  // 60 were used of the first, 100 are left of the second.
  await site.dispute(intent, "needs_response", 3000);
  expect(await ahead(accountId)).toBe(0);
  expect((await site.entries(accountId)).slice(-1)).toEqual(["clawback 100"]);
  await site.dispute(intent, "won", 3000);
  expect((await site.entries(accountId)).slice(-1)).toEqual(["adjust_up 100"]);
  expect(await site.view(accountId)).toMatchObject({ periodsAhead: 2, endsWithPeriod: true });
  for (let period = 0; period < 2; period++) await site.later(accountId, 24.01);
  expect((await site.entries(accountId)).slice(-2)).toEqual(["expiry 100", "plan 100"]);
  await site.later(accountId, 24.01);
  expect(await site.view(accountId)).toBeNull();
});

test("another plan in the middle, now: an operator is asked to give back what did not begin, and it takes nothing", async () => {
  const { accountId, intent, paymentId } = await subscriber(2);
  const large = await site.newPlan({ points: 300_000_000n, amount: 2000 });
  await expect(site.open(accountId, large)).rejects.toMatchObject({ param: "plan" });
  await site.operatorSets(accountId, large);
  expect((await site.entries(accountId)).slice(3)).toEqual(["expiry 100", "plan 300"]);
  expect(await site.payments.rowOf(paymentId)).toMatchObject({ attention: "period_unused" });
  await site.refund(intent, 1500);
  expect((await site.entries(accountId)).slice(5)).toEqual([]);
  expect(await site.view(accountId)).toMatchObject({ plan: { id: large }, periodsAhead: 0 });
});

test("another plan that is chosen follows all that is paid; cancelled or ended, as for one period", async () => {
  const { accountId } = await subscriber();
  const large = await site.newPlan({ points: 300_000_000n, amount: 2000 });
  await site.payByCard(accountId, large);
  for (let period = 0; period < 3; period++) await site.later(accountId, 24.01);
  expect((await site.entries(accountId)).slice(-1)).toEqual(["plan 100"]);
  await site.later(accountId, 24.1);
  expect((await site.entries(accountId)).slice(-2)).toEqual(["expiry 100", "plan 300"]);
  const other = await subscriber();
  await site.cancel(other.accountId);
  expect(await site.view(other.accountId)).toMatchObject({ endsWithPeriod: true, periodsAhead: 3 });
  await site.later(other.accountId, 24.01);
  await site.cancel(other.accountId, "now");
  const row = await site.payments.rowOf(other.paymentId);
  expect(row).toMatchObject({ attention: "period_unused", periods_before: [1, 2] });
});

test("a stop over several periods uses up one; paid twice, they follow each other", async () => {
  const { accountId, planId } = await subscriber();
  await site.later(accountId, 24 * 2.5);
  expect(await ahead(accountId)).toBe(2);
  expect(await site.entries(accountId)).toEqual(["plan 100", ...each]);
  const late = await site.payments.newAccount();
  const pages = [await site.open(late, planId, 4), await site.open(late, planId)] as const;
  await Promise.all(pages.map((page) => site.pay(late, page)));
  await Promise.all([1, 2, 3].map(() => sweepPayments(site.deps, null)));
  expect(await ahead(late)).toBe(4);
  for (let period = 0; period < 4; period++) await site.later(late, 24.01);
  expect(await ahead(late)).toBe(0);
  expect((await site.entries(late)).filter((line) => line === "plan 100")).toHaveLength(5);
});

test("after all of it the audit is clean", async () => {
  const { checks } = await auditLedger(site.owner);
  expect(checks.filter(({ ok }) => !ok)).toEqual([]);
});
