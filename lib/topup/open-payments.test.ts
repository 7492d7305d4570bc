import { expect, test } from "vitest";
import { startPaymentSite } from "@/testing/topup/payment-site";
import { opened } from "@/testing/unit/opened";
import { listOwnPayments } from "../queries/payments";
import { cancelPayment, continuePayment } from "./open-payments";

const payments = await opened(startPaymentSite());
const { site, fake } = payments;
const over = { code: "invalid_value", fault: { name: "payment_over" } };
const listed = async (accountId: string) =>
  (await listOwnPayments(site.deps, { accountId })).payments.map(({ state }) => state);

test("a payment that is not paid yet goes on, on the page that was opened for it", async () => {
  const { accountId, paymentId, session } = await payments.open();
  const own = { accountId, paymentId };
  expect(await continuePayment(site.deps, fake.stripe, own)).toEqual({
    paymentId,
    url: session.url,
  });
  const other = { accountId: await payments.newAccount(), paymentId };
  await expect(continuePayment(site.deps, fake.stripe, other)).rejects.toMatchObject({
    code: "not_found",
  });
});

test("a payment that is cancelled can no longer be paid, and is no longer listed", async () => {
  const { accountId, paymentId, session } = await payments.open();
  const own = { accountId, paymentId };
  expect(await listed(accountId)).toEqual(["open"]);
  const other = { accountId: await payments.newAccount(), paymentId };
  await expect(cancelPayment(site.deps, fake.stripe, other)).rejects.toMatchObject({
    code: "not_found",
  });
  await cancelPayment(site.deps, fake.stripe, own);
  expect(session.status).toBe("expired");
  expect(await listed(accountId)).toEqual([]);
  await expect(continuePayment(site.deps, fake.stripe, own)).rejects.toMatchObject(over);
  await expect(cancelPayment(site.deps, fake.stripe, own)).rejects.toMatchObject(over);
});

test("a payment that was paid meanwhile is credited, whether it is cancelled or continued", async () => {
  const cancelled = await payments.open();
  fake.pay(cancelled.session);
  await cancelPayment(site.deps, fake.stripe, cancelled);
  expect(await payments.pointsOf(cancelled.accountId)).toBe(100);
  expect(await listed(cancelled.accountId)).toEqual(["paid"]);
  const continued = await payments.open();
  fake.pay(continued.session);
  await expect(continuePayment(site.deps, fake.stripe, continued)).rejects.toMatchObject(over);
  expect(await payments.pointsOf(continued.accountId)).toBe(100);
});

test("without an answer of the payment provider, nothing changes", async () => {
  const { accountId, paymentId } = await payments.open();
  fake.state.isFailing = true;
  for (const ask of [continuePayment, cancelPayment])
    await expect(ask(site.deps, fake.stripe, { accountId, paymentId })).rejects.toMatchObject({
      code: "payments_unavailable",
    });
  fake.state.isFailing = false;
  expect(await listed(accountId)).toEqual(["open"]);
});
