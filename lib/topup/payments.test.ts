import { expect, test } from "vitest";
import { ledgerWith } from "@/testing/pages-api/site-process";
import { startPaymentSite } from "@/testing/topup/payment-site";
import { signedEvent } from "@/testing/topup/stripe";
import { opened } from "@/testing/unit/opened";
import { closeAccount } from "../commands/close-account";
import { attendPayment } from "../commands/payments";
import { createLedger } from "../ledger/ledger";
import { checkPayment, receiveEvent, sweepPayments } from "./payments";

const payments = await opened(startPaymentSite());
const { site, fake } = payments;

test("a package is bought at its own price: opened, paid, credited once, and only the needed parts of Stripe's answer are stored", async () => {
  const { accountId, paymentId, session } = await payments.open();
  expect(session).toMatchObject({
    amount_total: 999,
    currency: "eur",
    success_url: `http://localhost:3000/points?payment=${paymentId}`,
  });
  expect(await payments.rowOf(paymentId)).toMatchObject({
    status: "created",
    session_id: session.id,
  });
  fake.pay(session);
  await payments.send("checkout.session.completed", {
    ...session,
    customer_details: { email: "secret-person@example.com" },
  });
  expect(await payments.pointsOf(accountId)).toBe(100);
  expect(await payments.rowOf(paymentId)).toMatchObject({
    status: "paid",
    intent_id: session.payment_intent,
    attention: null,
  });
  const kept = JSON.stringify((await site.deps.pool.query("select * from payment_event")).rows);
  expect(kept).not.toContain("secret-person");
});

test("one event delivered five times at once, in two processes, and again under another id, credits once", async () => {
  const { accountId, session } = await payments.open();
  fake.pay(session);
  const other = await createLedger({
    databaseUrl: site.databaseUrl,
    spoolFolder: "/tmp",
    role: "tool",
  });
  const results = await Promise.allSettled(
    Array.from({ length: 10 }, (_, i) =>
      payments.send("checkout.session.completed", session, {
        id: `evt_same_${session.id}`,
        ledger: i % 2 ? other : site.deps.ledger,
      }),
    ),
  );
  await other.close();
  expect(results.filter(({ status }) => status === "rejected")).toEqual([]);
  await payments.send("checkout.session.async_payment_succeeded", session);
  expect(await payments.pointsOf(accountId)).toBe(100);
});

test("what is paid after the account was closed is told to an operator, once", async () => {
  const { accountId, paymentId, session } = await payments.open();
  await closeAccount(site.deps, "cli", { accountId });
  fake.pay(session);
  await payments.send("checkout.session.completed", session);
  expect(await payments.rowOf(paymentId)).toMatchObject({ attention: "account_closed" });
  expect(await payments.pointsOf(accountId)).toBe(100);
  await attendPayment(site.deps, "cli", { id: paymentId });
  await payments.send("checkout.session.async_payment_succeeded", session);
  expect(await payments.rowOf(paymentId)).toMatchObject({ attention: null });
});

test("forged, stale, unsigned and unreadable events change nothing", async () => {
  const { accountId, session } = await payments.open();
  fake.pay(session);
  const { webhookSecret } = fake.stripe;
  const good = signedEvent(webhookSecret, "checkout.session.completed", session);
  const now = Math.floor(Date.now() / 1000);
  const bad = [
    { ...good, signature: null },
    { ...good, signature: "" },
    {
      ...good,
      signature: good.signature.replace(/v1=./, (was) => (was === "v1=0" ? "v1=1" : "v1=0")),
    },
    { ...good, signature: good.signature.replace("v1=", "v0=") },
    { ...good, body: Buffer.concat([good.body, Buffer.from(" ")]) },
    signedEvent("whsec_of_somebody_else_altogether", "checkout.session.completed", session),
    signedEvent("", "checkout.session.completed", session),
    signedEvent(webhookSecret, "checkout.session.completed", session, { at: now - 301 }),
    signedEvent(webhookSecret, "checkout.session.completed", session, { at: now + 400 }),
    signedEvent(webhookSecret, "checkout.session.completed", { id: session.id, paid: true }),
  ];
  for (const sent of bad)
    await expect(receiveEvent(site.deps, fake.stripe, sent)).rejects.toMatchObject({
      code: "invalid_value",
    });
  await expect(
    receiveEvent(site.deps, { ...fake.stripe, webhookSecret: "" }, bad[6] as never),
  ).rejects.toMatchObject({
    code: "invalid_value",
  });
  expect(await payments.pointsOf(accountId)).toBe(0);
  const rotating = {
    ...good,
    signature: good.signature.replace(",v1=", `,v1=${"0".repeat(64)},v1=`),
  };
  await receiveEvent(site.deps, fake.stripe, rotating);
  expect(await payments.pointsOf(accountId)).toBe(100);
});

test("unpaid, wrong amount, wrong currency, unknown and another payment's sessions credit nothing", async () => {
  const { accountId, paymentId, session } = await payments.open();
  await payments.send("checkout.session.completed", { ...session, status: "complete" });
  expect(await payments.rowOf(paymentId)).toMatchObject({ status: "pending" });
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
    await payments.send("checkout.session.completed", wrong);
  expect(await payments.pointsOf(accountId)).toBe(0);
  expect(await payments.rowOf(paymentId)).toMatchObject({
    status: "pending",
    attention: "amount_mismatch",
  });
  const other = await payments.open("pkg_b");
  await payments.send("checkout.session.completed", {
    ...paid,
    client_reference_id: other.paymentId,
  });
  expect(await payments.pointsOf(other.accountId)).toBe(0);
});

test("events in any order have the same result: success before completion, an end after it, a payment after the end", async () => {
  const first = await payments.open();
  fake.pay(first.session);
  await payments.send("checkout.session.async_payment_succeeded", first.session);
  await payments.send("checkout.session.completed", { ...first.session, payment_status: "unpaid" });
  await payments.send("checkout.session.expired", {
    ...first.session,
    payment_status: "unpaid",
    status: "expired",
  });
  await payments.send("checkout.session.async_payment_failed", {
    ...first.session,
    payment_status: "unpaid",
  });
  expect(await payments.rowOf(first.paymentId)).toMatchObject({ status: "paid" });
  expect(await payments.pointsOf(first.accountId)).toBe(100);
  const late = await payments.open();
  await payments.send("checkout.session.expired", { ...late.session, status: "expired" });
  expect(await payments.rowOf(late.paymentId)).toMatchObject({ status: "expired" });
  await payments.send("checkout.session.completed", fake.pay(late.session));
  expect(await payments.pointsOf(late.accountId)).toBe(100);
});

test("a payment interrupted between the stored event and the credit, or after it, is finished by the sweep, once", async () => {
  const lost = ledgerWith(site.deps.ledger, {
    credit: () => Promise.reject(new Error("cut off before")),
  });
  const unheard = ledgerWith(site.deps.ledger, {
    async credit(request) {
      await site.deps.ledger.credit(request);
      throw new Error("cut off after");
    },
  });
  for (const ledger of [lost, unheard]) {
    const { accountId, session } = await payments.open();
    fake.pay(session);
    await expect(payments.send("checkout.session.completed", session, { ledger })).rejects.toThrow(
      "cut off",
    );
    await site.deps.pool.query(
      "update payment_event set received_at = now() - interval '1 minute' where handled_at is null",
    );
    await site.deps.pool.query(
      "update payment set paid_at = now() - interval '1 minute' where credited_at is null and paid_at is not null",
    );
    await Promise.all([sweepPayments(site.deps, null), sweepPayments(site.deps, null)]);
    expect(await payments.pointsOf(accountId)).toBe(100);
  }
  expect(await sweepPayments(site.deps, null)).toBe(0);
});

test("a buyer who returns before the event triggers a query; a stranger cannot, and without an answer from Stripe there are no points", async () => {
  const { accountId, paymentId, session } = await payments.open();
  const check = (by = accountId) =>
    checkPayment(site.deps, fake.stripe, { accountId: by, paymentId });
  await expect(check(await payments.newAccount())).rejects.toMatchObject({ code: "not_found" });
  await check();
  expect(await payments.rowOf(paymentId)).toMatchObject({ status: "created" });
  fake.pay(session);
  const recheck = () =>
    site.deps.pool.query("update payment set checked_at = null where id = $1", [paymentId]);
  await recheck();
  fake.state.isFailing = true;
  await expect(check()).rejects.toMatchObject({ code: "payments_unavailable" });
  fake.state.isFailing = false;
  expect(await payments.pointsOf(accountId)).toBe(0);
  await recheck();
  await Promise.all([check(), check(), payments.send("checkout.session.completed", session)]);
  await payments.send("checkout.session.completed", session);
  expect(await payments.pointsOf(accountId)).toBe(100);
});

test("the sweep checks a payment without events, and a disabled package cannot be bought", async () => {
  const { accountId, session } = await payments.open();
  fake.pay(session);
  await site.deps.pool.query(
    "update payment set created_at = now() - interval '11 minutes' where session_id = $1",
    [session.id],
  );
  await sweepPayments(site.deps, fake.stripe);
  expect(await payments.pointsOf(accountId)).toBe(100);
  fake.state.isFailing = true;
  await expect(payments.open()).rejects.toMatchObject({ code: "payments_unavailable" });
  fake.state.isFailing = false;
  await site.deps.pool.query("update topup_package set is_enabled = false where id = 'pkg_b'");
  await expect(payments.open("pkg_b")).rejects.toMatchObject({
    code: "not_found",
    param: "packageId",
  });
});
