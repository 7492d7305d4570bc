import { expect, test } from "vitest";
import { OwnPages } from "@/testing/pages-api/own-pages";
import { startTestStripe } from "@/testing/topup/stripe";
import { opened } from "@/testing/unit/opened";
import { createPlan } from "../commands/plans";
import { setLiveSetting } from "../commands/settings";
import { autoTopupEndpoints } from "../contract/auto-topup";

const pages = await opened(OwnPages.open());
const fake = await opened(startTestStripe());
await pages.site.deps.pool.query(
  "insert into topup_package (id, name, points, amount, currency) values ('pkg_a', 'Small', 100000000, 999, 'eur')",
);

const routes = (hasStripe = true) => {
  const { secretKey, webhookSecret, apiBase } = fake.stripe;
  const stripe = {
    STRIPE_SECRET_KEY: secretKey,
    STRIPE_WEBHOOK_SECRET: webhookSecret,
    STRIPE_API_BASE: apiBase,
  };
  const { deps } = pages.site;
  return pages.routesOver(() => ({
    ...deps,
    settings: hasStripe ? { ...deps.settings, ...stripe } : deps.settings,
  }));
};
const terms = { packageId: "pkg_a", threshold: "20", monthMax: 5000 };

test("what moves money needs the fresh proof; what ends it does not", () => {
  const proofs = Object.entries(autoTopupEndpoints).map(([name, row]) => [
    name,
    "proof" in row ? row.proof : "none",
  ]);
  expect(Object.fromEntries(proofs)).toEqual({
    showAutoTopup: "none",
    setAutoTopup: "recent",
    stopAutoTopup: "none",
    saveCard: "recent",
    checkCard: "none",
    removeCard: "none",
    confirmCard: "recent",
  });
});

test("a card is saved, terms are agreed to and ended; another account sees and changes nothing of it", async () => {
  await pages.signInNew();
  const first = routes();
  expect(await pages.ask("showAutoTopup", {}, first)).toMatchObject({ state: "no_card" });
  expect(await pages.ask("setAutoTopup", { body: terms }, first)).toMatchObject({
    error: { code: "invalid_value", param: "card" },
  });
  expect(await pages.ask("confirmCard", {}, first)).toMatchObject({ error: { code: "not_found" } });
  const { url } = await pages.ask("saveCard", {}, first);
  const session = [...fake.sessions.values()].at(-1);
  if (session === undefined) throw new Error("no page was opened");
  expect(url).toBe(session.url);
  const id = session.client_reference_id;
  expect(session.success_url).toBe(`http://localhost:3000/points?card=${id}`);
  fake.pay(session);
  const owner = pages.user;
  await pages.signInNew();
  expect(await pages.ask("checkCard", { id }, first)).toMatchObject({
    error: { code: "not_found" },
  });
  expect(await pages.ask("showAutoTopup", {}, first)).toMatchObject({ state: "no_card" });
  pages.user = owner;
  expect(await pages.ask("checkCard", { id }, first)).toMatchObject({
    state: "off",
    card: { brand: "visa", last4: "4242", expires: "2031-07" },
  });
  expect(await pages.ask("setAutoTopup", { body: terms }, first)).toMatchObject({
    state: "on",
    terms: { threshold: "20.000000", monthMax: 5000, monthCharged: 0, amount: 999 },
  });
  const shown = JSON.stringify(await pages.ask("showAutoTopup", {}, first));
  expect(shown).not.toMatch(/cus_|pm_/);
  expect(await pages.ask("stopAutoTopup", {}, first)).toMatchObject({ state: "off" });
  expect(await pages.ask("removeCard", {}, first)).toMatchObject({ state: "no_card", card: null });
});

test("a plan is bought and its next payment shown; another account pays its own, and a free plan is not paid for", async () => {
  await pages.signInNew();
  const shop = routes();
  const terms = {
    name: "Paid",
    note: null,
    groupId: null,
    points: 5_000_000n,
    period: "month",
  } as const;
  const rest = { hours: null, rolloverPercent: 0, isOffered: true };
  const price = { amount: 900, currency: "eur" };
  const { id: planId } = await createPlan(pages.site.deps, "cli", { ...terms, ...rest, ...price });
  expect(await pages.ask("choosePlan", { body: { planId } }, shop)).toMatchObject({
    error: { code: "invalid_value", param: "plan" },
  });
  expect(await pages.ask("payPlanByCard", { body: { planId } }, shop)).toMatchObject({
    error: { code: "not_found" },
  });
  const { paymentId, url } = await pages.ask("buyPlan", { body: { planId } }, shop);
  const session = fake.sessionOf(paymentId);
  expect(url).toBe(session.url);
  fake.pay(session);
  expect(await pages.ask("checkPayment", { id: paymentId }, shop)).toMatchObject({
    payment: { isPlan: true, isCredited: true, packageName: "Paid" },
  });
  await pages.ask("checkCard", { id: paymentId }, shop);
  const shown = await pages.ask("showPlan", {}, shop);
  expect(shown).toMatchObject({
    current: { periodsAhead: 0, payment: { amount: 900, state: "due", card: { last4: "4242" } } },
    isSold: true,
    hasCard: true,
  });
  expect(JSON.stringify(shown)).not.toMatch(/cus_|pm_/);
  expect(await pages.ask("cancelPlan", {}, shop)).toMatchObject({
    current: { endsWithPeriod: true, payment: null },
  });
  expect(await pages.ask("payPlanByCard", { body: { planId } }, shop)).toMatchObject({
    current: { endsWithPeriod: false, payment: { amount: 900 } },
  });
  await pages.signInNew();
  expect(await pages.ask("showPlan", {}, shop)).toMatchObject({ current: null, hasCard: false });
  const none = { amount: null, currency: null };
  const free = await createPlan(pages.site.deps, "cli", { ...terms, ...rest, ...none });
  for (const route of ["buyPlan", "payPlanByCard"] as const)
    expect(await pages.ask(route, { body: { planId: free.id } }, routes(false))).toMatchObject({
      error: { code: "route_not_found" },
    });
  expect(await pages.ask("buyPlan", { body: { planId: free.id } }, shop)).toMatchObject({
    error: { code: "invalid_value", param: "plan" },
  });
});

test("without a payment provider, or switched off, there is nothing to save or to agree to", async () => {
  await pages.signInNew();
  for (const route of ["saveCard", "confirmCard", "setAutoTopup"] as const)
    expect(await pages.ask(route, { body: terms }, routes(false))).toMatchObject({
      error: { code: "route_not_found" },
    });
  const { deps } = pages.site;
  await setLiveSetting(deps, "cli", { name: "automatic_topup", value: "no" });
  const off = pages.routesOver(() => ({
    ...deps,
    settings: { ...deps.settings, STRIPE_SECRET_KEY: "x", STRIPE_WEBHOOK_SECRET: "x" },
  }));
  for (const route of ["saveCard", "confirmCard", "setAutoTopup"] as const)
    expect(await pages.ask(route, { body: terms }, off)).toMatchObject({
      error: { code: "not_found" },
    });
});
