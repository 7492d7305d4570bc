import { afterAll, beforeAll, expect, test } from "vitest";
import { type PaymentSite, startPaymentSite } from "@/testing/topup/payment-site";
import { sweepPayments } from "./payments";

let payments: PaymentSite;
let site: PaymentSite["site"];
beforeAll(async () => {
  payments = await startPaymentSite();
  ({ site } = payments);
});
afterAll(() => payments.close());

const spend = (accountId: string, points: number) =>
  site.deps.ledger.credit({
    accountId,
    kind: "adjust_down",
    ref: `spent-${accountId}`,
    amount: BigInt(points * 1e6),
    reason: "spent",
    actor: "cli",
  });
const charge = (intent: string, refunded: number, currency = "eur") => ({
  object: "charge",
  amount_refunded: refunded,
  currency,
  payment_intent: intent,
});
const dispute = (intent: string, status: string, amount = 999, id = "dp_1") => ({
  object: "dispute",
  id: `${id}_${intent}`,
  amount,
  currency: "eur",
  status,
  payment_intent: intent,
});

test("refunds take back their share once, in parts and in any order; points already spent are the operator's loss", async () => {
  const { accountId, paymentId, intent } = await payments.bought();
  await payments.send("charge.refunded", charge(intent, 333));
  expect(await payments.pointsOf(accountId)).toBe(66.666667);
  await Promise.all([
    payments.send("charge.refunded", charge(intent, 666)),
    payments.send("charge.refunded", charge(intent, 500)),
  ]);
  expect(await payments.pointsOf(accountId)).toBe(33.333334);
  await payments.send("charge.refunded", charge(intent, 999, "usd"));
  expect(await payments.rowOf(paymentId)).toMatchObject({
    refunded: "666",
    attention: "amount_mismatch",
  });
  await spend(accountId, 30);
  await payments.send("charge.refunded", charge(intent, 999));
  await payments.send("charge.refunded", charge(intent, 999));
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
  await payments.send("charge.refunded", charge(session.payment_intent as string, 999));
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
  await payments.send("charge.dispute.created", dispute(won.intent, "warning_needs_response"));
  expect(await payments.pointsOf(won.accountId)).toBe(100);
  await spend(won.accountId, 40);
  await payments.send("charge.dispute.created", dispute(won.intent, "needs_response"));
  expect(await payments.pointsOf(won.accountId)).toBe(0);
  await payments.send("charge.dispute.closed", dispute(won.intent, "won"));
  await payments.send("charge.dispute.updated", dispute(won.intent, "under_review"));
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
  await payments.send("charge.dispute.closed", dispute(lost.intent, "lost"));
  await payments.send("charge.dispute.created", dispute(lost.intent, "needs_response"));
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
