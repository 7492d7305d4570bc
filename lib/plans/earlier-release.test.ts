/** What a process of a release without payments of plans does in a rolling upgrade, by its own statements. */
import { expect, test } from "vitest";
import { startPlanPayments } from "@/testing/topup/plan-payments";
import { opened } from "@/testing/unit/opened";
import { setAccountPlan } from "../commands/account-plans";
import { sweepPayments } from "../topup/payments";

const site = await opened(startPlanPayments());

const end =
  "update account_plan set status = 'ended', ended_at = now(), next_plan_id = null where account_id = $1";
const begin = `
update account_plan set status = 'active', plan_id = coalesce(next_plan_id, plan_id), next_plan_id = null, number = number + 1,
  period_starts_at = period_ends_at, period_ends_at = period_ends_at + interval '1 day',
  periods_left = case when plan_id = coalesce(next_plan_id, plan_id) then periods_left - 1 end where account_id = $1`;
const follow = `
update account_plan set next_plan_id = $2, ends_with_period = false,
  periods_left = case when $3 then periods_left end where account_id = $1`;

const earlier = (statement: string, ...values: unknown[]) =>
  site.deps.pool.query(statement, values);
const refusal = { code: "23000" };

test("it ends no plan that a card pays for, and none of which a paid period waits", async () => {
  const { accountId } = await site.subscriber();
  await site.pass(accountId, 24.1);
  await expect(earlier(end, accountId)).rejects.toMatchObject(refusal);
  await site.work();
  expect(await site.entries(accountId)).toEqual(["plan 100", "expiry 100", "plan 100"]);
  await site.later(accountId, 23.4);
  await site.cancel(accountId);
  await site.pass(accountId, 0.7);
  await expect(earlier(end, accountId)).rejects.toMatchObject(refusal);
  await site.work();
  expect((await site.entries(accountId)).slice(3)).toEqual(["expiry 100", "plan 100"]);
  // Nothing is paid any more.
  await earlier(end, accountId);
  expect(await site.view(accountId)).toBeNull();
});

test("it begins no period that a card is to pay, and lets no other plan follow at the price of this one", async () => {
  const { accountId, planId } = await site.subscriber();
  const large = await site.newPlan({ points: 300_000_000n, amount: 2000 });
  const free = await site.newPlan({ amount: null, currency: null, points: 1_000_000n });
  await expect(earlier(follow, accountId, free, true)).rejects.toMatchObject(refusal);
  await site.payByCard(accountId, large);
  await expect(earlier(follow, accountId, null, false)).rejects.toMatchObject(refusal);
  await site.pass(accountId, 24.1);
  await expect(earlier(begin, accountId)).rejects.toMatchObject(refusal);
  await site.work();
  expect(await site.entries(accountId)).toEqual(["plan 100", "expiry 100", "plan 300"]);
  expect((await site.paid(accountId)).map(({ amount }) => amount)).toEqual([2000]);
  // A period that a voucher paid is another matter, and so is a plan without a payment.
  await earlier("update account_plan set periods_left = 1 where account_id = $1", accountId);
  await earlier(begin, accountId);
  const wanted = { accountId, planId: free, when: "now", isOwn: false } as const;
  await setAccountPlan(site.deps, "cli", wanted);
  await earlier(follow, accountId, planId, false);
  await earlier(begin, accountId);
});

test("it credits no payment of a plan as a top-up: the period is given, once, by who knows it", async () => {
  const accountId = await site.payments.newAccount();
  const { paymentId, session } = await site.open(accountId, await site.newPlan());
  site.fake.payBy(session.id, "good");
  await earlier(
    "update payment set status = 'paid', paid_at = now() - interval '1 minute', intent_id = $2 where id = $1",
    ...[paymentId, session.payment_intent],
  );
  const credit = { accountId, kind: "topup", ref: paymentId, amount: 100_000_000n } as const;
  await expect(
    site.deps.ledger.credit({ ...credit, reason: "Top-up", actor: "system" }),
  ).rejects.toThrow();
  await expect(
    earlier("update payment set credited_at = now() where id = $1", paymentId),
  ).rejects.toMatchObject({ constraint: "payment_of_plan" });
  expect(await site.entries(accountId)).toEqual([]);
  await sweepPayments(site.deps, null);
  expect(await site.entries(accountId)).toEqual(["plan 100"]);
});
