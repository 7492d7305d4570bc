import { expect, test } from "vitest";
import { pagesHostOf } from "@/testing/pages-api/pages-host";
import { startSiteProcess } from "@/testing/pages-api/site-process";
import { signedEvent, startTestStripe } from "@/testing/topup/stripe";
import { opened } from "@/testing/unit/opened";
import { sessionOf } from "../accounts/session-store";
import { signUp } from "../accounts/sign-up";
import { type PageName, pageEndpoints } from "../contract/page-endpoints";
import type { PageHandler } from "../http/serve-page";
import { readSettings } from "../settings/settings";
import { pageHandlers } from "./page-handlers";
import { stripeWebhook } from "./payment-webhook";

const stripe = {
  STRIPE_SECRET_KEY: "sk_test_stand_in",
  STRIPE_WEBHOOK_SECRET: "whsec_stand_in_of_a_test",
};
const site = await opened(startSiteProcess());
const fake = await opened(startTestStripe());
const settings = readSettings({ ...stripe, STRIPE_API_BASE: fake.stripe.apiBase });
const { userId } = await signUp(site.deps, {
  email: "o@example.com",
  password: "correct horse battery",
  address: "192.0.2.1",
});
const user = {
  ...sessionOf(
    await site.deps.database.user.update({ where: { id: userId }, data: { isOperator: true } }),
  ),
};
const host = pagesHostOf({
  deps: () => ({ ...site.deps, settings }),
  currentUser: async () => user,
  isOperator: () => true,
  currentSessionId: async () => "session",
  renewedCookie: async () => "relay-session=renewed",
});

async function ask(
  route: PageHandler,
  { query = "", body, id = "x" }: { query?: string; body?: unknown; id?: string },
) {
  const init = body === undefined ? {} : { method: "POST", body: JSON.stringify(body) };
  const headers = { "content-type": "application/json", origin: "http://localhost:3000" };
  const response = await route(
    new Request(`http://localhost:3000/api/x${query}`, { headers, ...init }),
    id,
  );
  const text = await response.text();
  return {
    status: response.status,
    error: text.startsWith('{"error"') ? JSON.parse(text).error : null,
  };
}

test("no page endpoint answers 500 to a NUL in its body, query or path, and the answer names the field", async () => {
  const routes = Object.entries(pageHandlers(host)) as [PageName, PageHandler][];
  expect(routes.length).toBeGreaterThan(60);
  const named = { body: 0, query: 0, id: 0 };
  const note = (kind: keyof typeof named, param: unknown, expected: string) => {
    if (param === expected) named[kind]++;
  };
  for (const [name, route] of routes) {
    const isRead = pageEndpoints[name].method === "GET";
    const body = { name: "a", deep: [{ text: "a\0b" }] };
    const byBody = isRead ? null : await ask(route, { body });
    const byQuery = await ask(route, { query: "?other=a%00b", body: isRead ? undefined : {} });
    const byId = await ask(route, { id: "a\0b", body: isRead ? undefined : {} });
    for (const answer of [byBody, byQuery, byId])
      expect(answer?.status ?? 400, `${name} ${JSON.stringify(answer)}`).toBeLessThan(500);
    note("body", byBody?.error?.param, "deep[0].text");
    note("query", byQuery.error?.param, "other");
    note("id", byId.error?.param, "id");
  }
  expect(named.body).toBeGreaterThan(20);
  expect(named.query).toBeGreaterThan(15);
  expect(named.id).toBeGreaterThan(30);
});

test("a NUL in a key's name, a profile or a filter is refused with the field's name", async () => {
  const routes = pageHandlers(host);
  expect(await ask(routes.createKey, { body: { name: "a\0b" } })).toMatchObject({
    status: 400,
    error: { param: "name" },
  });
  expect(await ask(routes.changeProfile, { body: { name: "a\0b" } })).toMatchObject({
    status: 400,
    error: { param: "name" },
  });
  expect(await ask(routes.listUsage, { query: "?model=a%00b" })).toMatchObject({
    status: 400,
    error: { param: "model" },
  });
});

test("a correctly signed payment event with a NUL is refused and not stored", async () => {
  const route = stripeWebhook(host);
  const charge = {
    object: "charge",
    id: "ch\0",
    payment_intent: "pi\0",
    amount: 5,
    amount_refunded: 5,
    currency: "eur",
    refunded: true,
  };
  const session = {
    object: "checkout.session",
    id: "cs\0",
    client_reference_id: "pay\0",
    status: "complete",
    payment_status: "paid",
  };
  for (const [type, object] of [
    ["charge.refunded", charge],
    [
      "checkout.session.completed",
      { ...session, amount_total: 1, currency: "eur", payment_intent: "pi\0" },
    ],
    ["some\0thing", {}],
  ] as const) {
    const { body, signature } = signedEvent(stripe.STRIPE_WEBHOOK_SECRET, type, object);
    const answer = await route(
      new Request("http://localhost:3000/x", {
        method: "POST",
        body,
        headers: { "stripe-signature": signature },
      }),
    );
    expect(answer.status, type).toBe(400);
  }
  expect(await site.deps.pool.query("select from payment_event")).toMatchObject({ rowCount: 0 });
});
