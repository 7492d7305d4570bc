import { afterAll, beforeAll, expect, test } from "vitest";
import { createAccount } from "../accounts/create-account";
import { auditLedger } from "../ledger/audit";
import { createLedger } from "../ledger/ledger";
import type { Ledger } from "../ledger/verbs";
import { ledgerWith, type SiteProcess, startSiteProcess } from "../site/testing";
import { checkPayment, receiveEvent, startPayment, sweepPayments } from "./payments";
import { signedEvent, startTestStripe, type TestSession } from "./testing-stripe";

let site: SiteProcess;
let fake: Awaited<ReturnType<typeof startTestStripe>>;
let people = 0;
beforeAll(async () => {
  site = await startSiteProcess();
  fake = await startTestStripe();
  await site.parts.pool.query(
    "insert into topup_package (id, name, points, amount, currency) values ('pkg_a', 'Small', 100000000, 999, 'eur'), ('pkg_b', 'Big', 1000000000, 8900, 'usd')",
  );
});
afterAll(async () => {
  const client = await site.parts.pool.connect();
  const report = await auditLedger(client);
  client.release();
  await fake.close();
  await site.close();
  expect(report.checks.filter(({ ok }) => !ok)).toEqual([]);
});

async function newAccount(): Promise<string> {
  const person = { email: `b${++people}@example.com`, passwordHash: null, name: null, isOperator: false, welcomePoints: 0n };
  return (await createAccount(site.parts.database, site.parts.ledger, person)).accountId;
}
const pointsOf = async (accountId: string) => Number((await site.parts.ledger.balance(accountId)).available) / 1e6;
const rowOf = async (paymentId: string) => (await site.parts.pool.query("select * from payment where id = $1", [paymentId])).rows[0];
const spend = (accountId: string, points: number) =>
  site.parts.ledger.credit({
    accountId,
    kind: "adjust_down",
    ref: `spent-${++people}`,
    amount: BigInt(points * 1e6),
    reason: "spent",
    actor: "cli",
  });

/** Sends an event as Stripe would. */
const send = (type: string, object: object, options: { id?: string; at?: number; ledger?: Ledger } = {}) =>
  receiveEvent(
    { pool: site.parts.pool, ledger: options.ledger ?? site.parts.ledger },
    fake.stripe,
    signedEvent(fake.stripe.webhookSecret, type, object, options),
  );

async function open(packageId = "pkg_a"): Promise<{ accountId: string; paymentId: string; session: TestSession }> {
  const accountId = await newAccount();
  const { paymentId } = await startPayment(site.parts, fake.stripe, {
    accountId,
    email: "b@example.com",
    packageId,
    returnUrl: "http://localhost:3000/points",
  });
  return { accountId, paymentId, session: fake.sessionOf(paymentId) };
}
async function bought() {
  const payment = await open();
  fake.pay(payment.session);
  await send("checkout.session.completed", payment.session);
  return { ...payment, intent: payment.session.payment_intent as string };
}
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

test("a package is bought at its own price: opened, paid, credited once, with the answer Stripe gives kept to what is needed", async () => {
  const { accountId, paymentId, session } = await open();
  expect(session).toMatchObject({ amount_total: 999, currency: "eur", success_url: `http://localhost:3000/points?payment=${paymentId}` });
  expect(await rowOf(paymentId)).toMatchObject({ status: "created", session_id: session.id });
  fake.pay(session);
  await send("checkout.session.completed", { ...session, customer_details: { email: "secret-person@example.com" } });
  expect(await pointsOf(accountId)).toBe(100);
  expect(await rowOf(paymentId)).toMatchObject({ status: "paid", intent_id: session.payment_intent, attention: null });
  const kept = JSON.stringify((await site.parts.pool.query("select * from payment_event")).rows);
  expect(kept).not.toContain("secret-person");
});

test("the same event in five deliveries at once, in two processes, and in a repetition under another id credits once", async () => {
  const { accountId, session } = await open();
  fake.pay(session);
  const other = await createLedger({ databaseUrl: site.databaseUrl, spoolFolder: "/tmp", role: "tool" });
  const results = await Promise.allSettled(
    Array.from({ length: 10 }, (_, i) =>
      send("checkout.session.completed", session, { id: `evt_same_${people}`, ledger: i % 2 ? other : site.parts.ledger }),
    ),
  );
  await other.close();
  expect(results.filter(({ status }) => status === "rejected")).toEqual([]);
  await send("checkout.session.async_payment_succeeded", session);
  expect(await pointsOf(accountId)).toBe(100);
});

test("forged, stale, unsigned and unreadable events change nothing", async () => {
  const { accountId, session } = await open();
  fake.pay(session);
  const { webhookSecret } = fake.stripe;
  const good = signedEvent(webhookSecret, "checkout.session.completed", session);
  const now = Math.floor(Date.now() / 1000);
  const bad = [
    { ...good, signature: null },
    { ...good, signature: "" },
    { ...good, signature: good.signature.replace(/v1=../, "v1=00") },
    { ...good, signature: good.signature.replace("v1=", "v0=") },
    { ...good, body: Buffer.concat([good.body, Buffer.from(" ")]) },
    signedEvent("whsec_of_somebody_else_altogether", "checkout.session.completed", session),
    signedEvent("", "checkout.session.completed", session),
    signedEvent(webhookSecret, "checkout.session.completed", session, { at: now - 301 }),
    signedEvent(webhookSecret, "checkout.session.completed", session, { at: now + 301 }),
    signedEvent(webhookSecret, "checkout.session.completed", { id: session.id, paid: true }),
  ];
  for (const sent of bad) await expect(receiveEvent(site.parts, fake.stripe, sent)).rejects.toMatchObject({ code: "invalid_value" });
  await expect(receiveEvent(site.parts, { ...fake.stripe, webhookSecret: "" }, bad[6] as never)).rejects.toMatchObject({
    code: "invalid_value",
  });
  expect(await pointsOf(accountId)).toBe(0);
  const rotating = { ...good, signature: good.signature.replace(",v1=", `,v1=${"0".repeat(64)},v1=`) };
  await receiveEvent(site.parts, fake.stripe, rotating);
  expect(await pointsOf(accountId)).toBe(100);
});

test("unpaid, wrong amount, wrong currency, unknown and another payment's sessions credit nothing", async () => {
  const { accountId, paymentId, session } = await open();
  await send("checkout.session.completed", { ...session, status: "complete" });
  expect(await rowOf(paymentId)).toMatchObject({ status: "pending" });
  const paid = { ...session, status: "complete", payment_status: "paid", payment_intent: "pi_odd" };
  for (const wrong of [
    { ...paid, amount_total: 998 },
    { ...paid, amount_total: null },
    { ...paid, currency: "usd" },
    { ...paid, payment_status: "no_payment_required" },
    { ...paid, id: "cs_of_another" },
    { ...paid, client_reference_id: "pay_unknown" },
    { ...paid, client_reference_id: null },
  ])
    await send("checkout.session.completed", wrong);
  expect(await pointsOf(accountId)).toBe(0);
  expect(await rowOf(paymentId)).toMatchObject({ status: "pending", attention: "amount_mismatch" });
  const other = await open("pkg_b");
  await send("checkout.session.completed", { ...paid, client_reference_id: other.paymentId });
  expect(await pointsOf(other.accountId)).toBe(0);
});

test("events in any order end the same: success before completion, an end after it, a payment after the end", async () => {
  const first = await open();
  fake.pay(first.session);
  await send("checkout.session.async_payment_succeeded", first.session);
  await send("checkout.session.completed", { ...first.session, payment_status: "unpaid" });
  await send("checkout.session.expired", { ...first.session, payment_status: "unpaid", status: "expired" });
  await send("checkout.session.async_payment_failed", { ...first.session, payment_status: "unpaid" });
  expect(await rowOf(first.paymentId)).toMatchObject({ status: "paid" });
  expect(await pointsOf(first.accountId)).toBe(100);
  const late = await open();
  await send("checkout.session.expired", { ...late.session, status: "expired" });
  expect(await rowOf(late.paymentId)).toMatchObject({ status: "expired" });
  await send("checkout.session.completed", fake.pay(late.session));
  expect(await pointsOf(late.accountId)).toBe(100);
});

test("refunds take back their share once, in parts and in any order, and what is spent already is the operator's loss", async () => {
  const { accountId, paymentId, intent } = await bought();
  await send("charge.refunded", charge(intent, 333));
  expect(await pointsOf(accountId)).toBe(66.666667);
  await Promise.all([send("charge.refunded", charge(intent, 666)), send("charge.refunded", charge(intent, 500))]);
  expect(await pointsOf(accountId)).toBe(33.333334);
  await send("charge.refunded", charge(intent, 999, "usd"));
  expect(await rowOf(paymentId)).toMatchObject({ refunded: "666", attention: "amount_mismatch" });
  await spend(accountId, 30);
  await send("charge.refunded", charge(intent, 999));
  await send("charge.refunded", charge(intent, 999));
  expect(await pointsOf(accountId)).toBe(0);
  expect(await rowOf(paymentId)).toMatchObject({ refunded: "999", attention: "points_short" });
  const losses = await site.parts.pool.query("select cause, estimate from operator_loss where detail ->> 'ref' = $1", [paymentId]);
  expect(losses.rows).toEqual([{ cause: "clawback_short", estimate: "30000000" }]);
});

test("a refund that is told before its payment is done when the payment is there", async () => {
  const { accountId, session } = await open();
  fake.pay(session);
  await send("charge.refunded", charge(session.payment_intent as string, 999));
  await send("checkout.session.completed", session);
  expect(await pointsOf(accountId)).toBe(0);
  const early = await bought();
  await site.parts.pool.query(
    "insert into payment_event (id, type, intent_id, facts, handled_at, outcome) values ('evt_crossed', 'charge.refunded', $1, $2, now(), 'no_payment')",
    [early.intent, JSON.stringify({ about: "refund", intentId: early.intent, refunded: 999, currency: "eur" })],
  );
  await sweepPayments(site.parts, null);
  expect(await pointsOf(early.accountId)).toBe(0);
});

test("a dispute takes points while it is open; won gives back what was taken, lost makes the rest a loss, an inquiry takes nothing", async () => {
  const won = await bought();
  await send("charge.dispute.created", dispute(won.intent, "warning_needs_response"));
  expect(await pointsOf(won.accountId)).toBe(100);
  await spend(won.accountId, 40);
  await send("charge.dispute.created", dispute(won.intent, "needs_response"));
  expect(await pointsOf(won.accountId)).toBe(0);
  await send("charge.dispute.closed", dispute(won.intent, "won"));
  await send("charge.dispute.updated", dispute(won.intent, "under_review"));
  expect(await pointsOf(won.accountId)).toBe(60);
  expect((await site.parts.pool.query("select 1 from operator_loss where detail ->> 'ref' = $1", [won.paymentId])).rowCount).toBe(0);

  const lost = await bought();
  await spend(lost.accountId, 40);
  await send("charge.dispute.closed", dispute(lost.intent, "lost"));
  await send("charge.dispute.created", dispute(lost.intent, "needs_response"));
  expect(await pointsOf(lost.accountId)).toBe(0);
  expect(await rowOf(lost.paymentId)).toMatchObject({ attention: expect.stringMatching(/dispute|short/) });
  const { rows } = await site.parts.pool.query("select estimate from operator_loss where detail ->> 'ref' = $1", [lost.paymentId]);
  expect(rows).toEqual([{ estimate: "40000000" }]);
});

test("cut off between the stored event and the credit, or after it, a payment is finished by the sweep, once", async () => {
  const lost = ledgerWith(site.parts.ledger, { credit: () => Promise.reject(new Error("cut off before")) });
  const unheard = ledgerWith(site.parts.ledger, {
    async credit(request) {
      await site.parts.ledger.credit(request);
      throw new Error("cut off after");
    },
  });
  for (const ledger of [lost, unheard]) {
    const { accountId, session } = await open();
    fake.pay(session);
    await expect(send("checkout.session.completed", session, { ledger })).rejects.toThrow("cut off");
    await site.parts.pool.query("update payment_event set received_at = now() - interval '1 minute' where handled_at is null");
    await site.parts.pool.query(
      "update payment set paid_at = now() - interval '1 minute' where credited_at is null and paid_at is not null",
    );
    await Promise.all([sweepPayments(site.parts, null), sweepPayments(site.parts, null)]);
    expect(await pointsOf(accountId)).toBe(100);
  }
  expect(await sweepPayments(site.parts, null)).toBe(0);
});

test("whoever is back before the event has it asked for; a stranger cannot ask, and no answer of Stripe's means no points", async () => {
  const { accountId, paymentId, session } = await open();
  const check = (by = accountId) => checkPayment(site.parts, fake.stripe, { accountId: by, paymentId });
  await expect(check(await newAccount())).rejects.toMatchObject({ code: "not_found" });
  await check();
  expect(await rowOf(paymentId)).toMatchObject({ status: "created" });
  fake.pay(session);
  const recheck = () => site.parts.pool.query("update payment set checked_at = null where id = $1", [paymentId]);
  await recheck();
  fake.state.isFailing = true;
  await expect(check()).rejects.toMatchObject({ code: "payments_unavailable" });
  fake.state.isFailing = false;
  expect(await pointsOf(accountId)).toBe(0);
  await recheck();
  await Promise.all([check(), check(), send("checkout.session.completed", session)]);
  await send("checkout.session.completed", session);
  expect(await pointsOf(accountId)).toBe(100);
});

test("a payment nothing was heard of is asked for by the background; one that could not be opened is not sold", async () => {
  const { accountId, session } = await open();
  fake.pay(session);
  await site.parts.pool.query("update payment set created_at = now() - interval '11 minutes' where session_id = $1", [session.id]);
  await sweepPayments(site.parts, fake.stripe);
  expect(await pointsOf(accountId)).toBe(100);
  fake.state.isFailing = true;
  await expect(open()).rejects.toMatchObject({ code: "payments_unavailable" });
  fake.state.isFailing = false;
  await site.parts.pool.query("update topup_package set is_enabled = false where id = 'pkg_b'");
  await expect(open("pkg_b")).rejects.toMatchObject({ code: "not_found", param: "packageId" });
});
