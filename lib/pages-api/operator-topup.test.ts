import { expect, test } from "vitest";
import { startOperatorProcess } from "@/testing/pages-api/operator-process";
import { signedEvent, startTestStripe } from "@/testing/topup/stripe";
import { opened } from "@/testing/unit/opened";
import { auditWhenDue } from "../ledger/audit/audit-runs";
import { receiveEvent, startPayment } from "../topup/payments";
import { pageHandlers } from "./page-handlers";
import { stripeWebhook } from "./payment-webhook";

const process = await opened(startOperatorProcess(), ({ site }) => site.close());
const routes = pageHandlers(process.host);
const fake = await opened(startTestStripe());

const actions = async (action: string) =>
  process.site.deps.database.operatorAction.findMany({ where: { action } });
const terms = {
  name: "Small",
  note: null,
  points: "100",
  amount: 999,
  currency: "eur",
  isEnabled: true,
  position: 1,
};

test("an operator creates vouchers whose codes are in one answer only, sees who redeemed them, and cancels the rest; all is recorded", async () => {
  const { call } = process;
  const made = await call(routes.createVouchers, {
    body: { name: "Launch", points: "5", count: 3, expiresAt: null },
  });
  expect(made).toMatchObject({
    status: 201,
    json: { codes: [expect.stringMatching(/^RLY-/), expect.anything(), expect.anything()] },
  });
  const { batchId, codes } = made.json;
  const redeemed = await call(routes.redeemVoucher, { body: { code: codes[0] } });
  expect(redeemed.status).toBe(200);
  const list = await call(routes.listVoucherBatches);
  expect(list.json.batches).toMatchObject([
    { id: batchId, name: "Launch", count: 3, redeemed: 1, left: 2, points: "5.000000" },
  ]);
  const detail = await call(routes.listBatchVouchers, { id: batchId });
  expect(detail.json.vouchers[0]).toMatchObject({
    state: "redeemed",
    email: "op@example.com",
    accountId: process.operator.accountId,
  });
  const file = await routes.downloadBatch(new Request("http://localhost:3000/x"), batchId);
  const text = await file.text();
  expect(text.split("\r\n")).toHaveLength(5);
  for (const code of codes)
    expect(JSON.stringify([list.json, detail.json, text, await process.site.dump()])).not.toContain(
      code.slice(4),
    );
  expect((await call(routes.cancelVouchers, { id: batchId, method: "POST" })).json).toEqual({
    cancelled: 2,
  });
  expect((await call(routes.listBatchVouchers, { id: "vb_none" })).status).toBe(404);
  expect(await actions("voucher.create")).toMatchObject([
    { actor: process.operator.userId, subject: batchId },
  ]);
  expect(await actions("voucher.cancel")).toHaveLength(1);
});

test.each([
  [{ count: 0 }, "count"],
  [{ count: 1001 }, "count"],
  [{ points: "0" }, "points"],
  [{ points: "-1" }, "points"],
  [{ name: " " }, "name"],
  [{ expiresAt: "2020-01-01T00:00:00Z" }, "expiresAt"],
])("an invalid batch of vouchers is refused with the field's name: %j", async (wrong, param) => {
  const body = { name: "x", points: "1", count: 1, expiresAt: null, ...wrong };
  expect(await process.call(routes.createVouchers, { body })).toMatchObject({
    status: 400,
    json: { error: { param } },
  });
});

test("packages are listed by position where payments are enabled, and none are where they are not", async () => {
  const { call, site, host } = process;
  const { json } = await call(routes.createPackage, { body: terms });
  await call(routes.createPackage, { body: { ...terms, name: "First", position: 0 } });
  expect((await call(routes.listAllPackages)).json).toMatchObject({
    isOffered: false,
    packages: [{ name: "First" }, { name: "Small" }],
  });
  const own = pageHandlers(host);
  expect((await call(own.listPackages)).json).toEqual({ packages: [] });
  expect((await call(own.startPayment, { body: { packageId: json.package.id } })).status).toBe(404);
  const silent = await stripeWebhook(host)(
    new Request("http://localhost:3000/x", { method: "POST", body: "{}" }),
  );
  expect(silent.status).toBe(404);
  const {
    secretKey: STRIPE_SECRET_KEY,
    webhookSecret: STRIPE_WEBHOOK_SECRET,
    apiBase: STRIPE_API_BASE,
  } = fake.stripe;
  const settings = {
    ...site.deps.settings,
    STRIPE_SECRET_KEY,
    STRIPE_WEBHOOK_SECRET,
    STRIPE_API_BASE,
  };
  const sellingHost = { ...host, deps: () => ({ ...site.deps, settings }) };
  const selling = pageHandlers(sellingHost);
  const receiveStripeEvent = stripeWebhook(sellingHost);
  expect((await call(selling.listPackages)).json.packages).toMatchObject([
    { name: "First" },
    { name: "Small", amount: 999 },
  ]);
  const changed = await call(routes.changePackage, {
    id: json.package.id,
    body: { amount: 1099, isEnabled: false },
  });
  expect(changed.json.package).toMatchObject({
    amount: 1099,
    isEnabled: false,
    points: "100.000000",
  });
  expect((await call(selling.listPackages)).json.packages).toMatchObject([{ name: "First" }]);
  expect(await actions("package.change")).toMatchObject([
    { detail: { before: { amount: 999 }, after: { amount: 1099 } } },
  ]);

  const big = new Request("http://localhost:3000/x", {
    method: "POST",
    body: "x".repeat(257 * 1024),
  });
  expect((await receiveStripeEvent(big)).status).toBe(413);
  const forged = new Request("http://localhost:3000/x", {
    method: "POST",
    body: "{}",
    headers: { "stripe-signature": "t=1,v1=00" },
  });
  expect((await receiveStripeEvent(forged)).status).toBe(400);
  process.session.isProved = false;
  expect((await call(routes.createPackage, { body: terms })).status).toBe(403);
  process.session.isProved = true;
});

test("the money page sums what came in, what is owed and what was lost, and shows the last audit", async () => {
  const { call, site, operator } = process;
  const { accountId } = operator;
  const packageId = (await call(routes.createPackage, { body: terms })).json.package.id as string;
  const { paymentId } = await startPayment(site.deps, fake.stripe, {
    accountId,
    email: null,
    packageId,
    returnUrl: "http://x",
  });
  const session = fake.pay(fake.sessionOf(paymentId));
  const send = (type: string, object: object) =>
    receiveEvent(site.deps, fake.stripe, signedEvent(fake.stripe.webhookSecret, type, object));
  await send("checkout.session.completed", session);
  const refund = {
    object: "charge",
    amount_refunded: 99,
    currency: "eur",
    payment_intent: session.payment_intent,
  };
  await send("charge.refunded", refund);
  const flagged = await call(routes.listAllPayments, { search: "?attention=open" });
  expect(flagged.json.payments).toMatchObject([
    { id: paymentId, attention: "refunded", accountId, state: "partly_refunded" },
  ]);
  expect((await call(routes.showOverview)).json.needs.payments).toEqual([
    { why: "refunded", count: 1 },
  ]);
  await call(routes.attendPayment, { id: paymentId, method: "POST" });
  expect((await call(routes.listAllPayments, { search: "?attention=open" })).json.payments).toEqual(
    [],
  );

  const { available } = await site.deps.ledger.balance(accountId);
  expect(await auditWhenDue(site.deps.pool, site.databaseUrl)).toMatchObject({ ok: true });
  expect(await auditWhenDue(site.deps.pool, site.databaseUrl)).toBeNull();
  const money = (await call(routes.showMoney)).json;
  expect(money).toMatchObject({
    liabilities: { available: (Number(available) / 1e6).toFixed(6), held: "0.000000", accounts: 1 },
    revenue: [
      {
        currency: "eur",
        payments: 1,
        amount: 999,
        refunded: 99,
        disputed: 0,
        points: "100.000000",
      },
    ],
    holds: expect.arrayContaining([{ age: "older", count: 0, points: "0.000000" }]),
    audit: { isClean: true, actor: "system", broken: [] },
    days: [],
  });
  expect(money.outstanding).toHaveLength(30);
  expect(money.outstanding.at(-1).points).toBe(money.liabilities.available);
  expect(money.outstanding[0].points).toBe("0.000000");
  expect(money.credits.map(({ kind }: { kind: string }) => kind)).toEqual([
    "clawback",
    "grant",
    "topup",
    "voucher",
  ]);
  expect((await call(routes.auditLedger, { method: "POST" })).json.audit).toMatchObject({
    isClean: true,
    actor: operator.userId,
  });
  const file = await routes.downloadMoney(new Request("http://localhost:3000/x?days=7"));
  expect(await file.text()).toContain("revenue,stripe,1,100.000000,999,eur");
});
