import { expect, test } from "vitest";
import { startPlanPayments } from "@/testing/topup/plan-payments";
import { chargeOf, disputeOf } from "@/testing/topup/stripe";
import { opened } from "@/testing/unit/opened";
import { finishPayment } from "./apply-facts";
import { sweepPayments } from "./payments";

const plans = await opened(startPlanPayments());
const { payments } = plans;
const { site } = payments;

const spend = (accountId: string, points: number) =>
  site.deps.ledger.credit({
    accountId,
    kind: "adjust_down",
    ref: `spent-${accountId}`,
    amount: BigInt(points * 1e6),
    reason: "spent",
    actor: "cli",
  });
test("refunds take back their share once, in parts and in any order; points already spent are the operator's loss", async () => {
  const { accountId, paymentId, intent } = await payments.bought();
  await payments.send("charge.refunded", chargeOf(intent, 333));
  expect(await payments.pointsOf(accountId)).toBe(66.666667);
  await Promise.all([
    payments.send("charge.refunded", chargeOf(intent, 666)),
    payments.send("charge.refunded", chargeOf(intent, 500)),
  ]);
  expect(await payments.pointsOf(accountId)).toBe(33.333334);
  await payments.send("charge.refunded", chargeOf(intent, 999, "usd"));
  expect(await payments.rowOf(paymentId)).toMatchObject({
    refunded: "666",
    attention: "amount_mismatch",
  });
  await spend(accountId, 30);
  await payments.send("charge.refunded", chargeOf(intent, 999));
  await payments.send("charge.refunded", chargeOf(intent, 999));
  expect(await payments.pointsOf(accountId)).toBe(0);
  expect(await payments.rowOf(paymentId)).toMatchObject({
    refunded: "999",
    attention: "points_short",
  });
  const losses = await site.deps.pool.query(
    "select cause, estimate from operator_loss where detail ->> 'ref' = $1",
    [paymentId],
  );
  expect(losses.rows).toEqual([{ cause: "clawback_short", estimate: "30000000" }]);
});

test("a refund reported before its payment is applied once the payment exists", async () => {
  const { accountId, session } = await payments.open();
  payments.fake.pay(session);
  await payments.send("charge.refunded", chargeOf(session.payment_intent as string, 999));
  await payments.send("checkout.session.completed", session);
  expect(await payments.pointsOf(accountId)).toBe(0);
  const early = await payments.bought();
  await site.deps.pool.query(
    "insert into payment_event (id, type, intent_id, facts, handled_at, outcome) values ('evt_crossed', 'charge.refunded', $1, $2, now(), 'no_payment')",
    [
      early.intent,
      JSON.stringify({ about: "refund", intentId: early.intent, refunded: 999, currency: "eur" }),
    ],
  );
  await sweepPayments(site.deps, null);
  expect(await payments.pointsOf(early.accountId)).toBe(0);
});

test("an open dispute takes points; a won one returns them, a lost one makes the rest a loss, an inquiry takes nothing", async () => {
  const won = await payments.bought();
  await payments.send("charge.dispute.created", disputeOf(won.intent, "warning_needs_response"));
  expect(await payments.pointsOf(won.accountId)).toBe(100);
  await spend(won.accountId, 40);
  await payments.send("charge.dispute.created", disputeOf(won.intent, "needs_response"));
  expect(await payments.pointsOf(won.accountId)).toBe(0);
  await payments.send("charge.dispute.closed", disputeOf(won.intent, "won"));
  await payments.send("charge.dispute.updated", disputeOf(won.intent, "under_review"));
  expect(await payments.pointsOf(won.accountId)).toBe(60);
  expect(
    (
      await site.deps.pool.query("select 1 from operator_loss where detail ->> 'ref' = $1", [
        won.paymentId,
      ])
    ).rowCount,
  ).toBe(0);

  const lost = await payments.bought();
  await spend(lost.accountId, 40);
  await payments.send("charge.dispute.closed", disputeOf(lost.intent, "lost"));
  await payments.send("charge.dispute.created", disputeOf(lost.intent, "needs_response"));
  expect(await payments.pointsOf(lost.accountId)).toBe(0);
  expect(await payments.rowOf(lost.paymentId)).toMatchObject({
    attention: expect.stringMatching(/dispute|short/),
  });
  const { rows } = await site.deps.pool.query(
    "select estimate from operator_loss where detail ->> 'ref' = $1",
    [lost.paymentId],
  );
  expect(rows).toEqual([{ estimate: "40000000" }]);
});

test("a refund takes its share of the period's points, less what has ended, and stops the renewal", async () => {
  const whole = await plans.subscriber();
  await plans.spend(whole.accountId, 30);
  await plans.refund(whole.intent, 900);
  await plans.refund(whole.intent, 900);
  expect(await plans.entries(whole.accountId)).toEqual([
    "plan 100",
    "adjust_down 30",
    "clawback 70",
  ]);
  expect(await payments.rowOf(whole.paymentId)).toMatchObject({ attention: "points_short" });
  expect(await plans.view(whole.accountId)).toMatchObject({ endsWithPeriod: true, payment: null });
  await plans.later(whole.accountId, 24.1);
  expect(await plans.view(whole.accountId)).toBeNull();
  expect(await plans.chargesOf(whole.accountId)).toEqual([]);

  const part = await plans.subscriber();
  await plans.refund(part.intent, 450);
  expect(await plans.view(part.accountId)).toMatchObject({ payment: { state: "due" } });
  await plans.spend(part.accountId, 10);
  await plans.later(part.accountId, 24.1);
  const first = ["plan 100", "clawback 50", "adjust_down 10", "expiry 40", "plan 100"];
  expect(await plans.entries(part.accountId)).toEqual(first);
  // Of the second half, 40 of 50 have ended.
  await plans.refund(part.intent, 900);
  expect(await plans.entries(part.accountId)).toEqual([...first, "clawback 10"]);
  await finishPayment(site.deps, part.paymentId);
  expect(await plans.entries(part.accountId)).toHaveLength(6);
  // It was of a period that is over: the plan goes on.
  expect(await plans.view(part.accountId)).toMatchObject({ payment: { state: "due" } });
});

test("an open dispute takes the points, a won one returns them, and both stop the renewal", async () => {
  const won = await plans.subscriber();
  await plans.refund(won.intent, 300);
  await plans.dispute(won.intent, "needs_response", 600);
  const taken = ["plan 100", "clawback 33.333333", "clawback 66.666667"];
  expect(await plans.entries(won.accountId)).toEqual(taken);
  await plans.dispute(won.intent, "won", 600);
  expect(await plans.entries(won.accountId)).toEqual([...taken, "adjust_up 66.666667"]);
  expect(await plans.view(won.accountId)).toMatchObject({ endsWithPeriod: true, payment: null });
  const lost = await plans.subscriber();
  await plans.spend(lost.accountId, 100);
  await plans.dispute(lost.intent, "needs_response");
  expect(await plans.entries(lost.accountId)).toEqual(["plan 100", "adjust_down 100"]);
  await plans.dispute(lost.intent, "lost");
  expect(await plans.entries(lost.accountId)).toHaveLength(2);
  expect(await payments.rowOf(lost.paymentId)).toMatchObject({ attention: "points_short" });
});
