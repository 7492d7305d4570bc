/** Tests what is sent to Stripe, and what its answers can cause. */
import { createServer, type IncomingHttpHeaders, type ServerResponse } from "node:http";
import { text } from "node:stream/consumers";
import { beforeEach, expect, test, vi } from "vitest";
import { listen } from "@/testing/stage/listen";
import { signedEvent } from "@/testing/topup/stripe";
import { opened } from "@/testing/unit/opened";
import { createCheckout, isSignedByStripe, readCheckout } from "./stripe";

interface Sent {
  readonly method: string | undefined;
  readonly path: string | undefined;
  readonly headers: IncomingHttpHeaders;
  readonly body: string;
}

let answer: (response: ServerResponse) => void;
const seen: Sent[] = [];
const server = await opened(
  listen(
    createServer(async (request, response) => {
      const { method, url: path, headers } = request;
      seen.push({ method, path, headers, body: await text(request) });
      answer(response);
    }),
  ),
);
const stripe = {
  secretKey: "sk_test_canary",
  webhookSecret: "whsec_canary_of_a_test",
  apiBase: server.origin,
};
beforeEach(() => {
  seen.length = 0;
});

const session = {
  object: "checkout.session",
  id: "cs_1",
  payment_status: "unpaid",
  url: "https://pay.example.com/1",
};
const send = (status: number, body: string, headers: Record<string, string> = {}) => {
  answer = (response) =>
    void response.writeHead(status, { "content-type": "application/json", ...headers }).end(body);
};
const sale = {
  paymentId: "pay_1",
  name: "100 points & more",
  amount: 999,
  currency: "eur",
  email: "buyer@example.com",
  returnUrl: "http://localhost:3000/points",
  expiresAt: 1_900_000_000,
};

test("a checkout is created with its payment's idempotency key, the pinned version and all details of the sale", async () => {
  send(200, JSON.stringify(session));
  expect(await createCheckout(stripe, sale)).toMatchObject({
    id: "cs_1",
    url: session.url,
    payment_intent: null,
  });
  const [sent] = seen;
  expect(sent).toMatchObject({
    method: "POST",
    path: "/v1/checkout/sessions",
    headers: {
      authorization: "Bearer sk_test_canary",
      "idempotency-key": "pay_1",
      "stripe-version": "2026-10-28.endive",
      "content-type": "application/x-www-form-urlencoded",
    },
  });
  expect(Object.fromEntries(new URLSearchParams(sent?.body))).toEqual({
    mode: "payment",
    client_reference_id: "pay_1",
    "metadata[payment]": "pay_1",
    "payment_intent_data[metadata][payment]": "pay_1",
    "line_items[0][quantity]": "1",
    "line_items[0][price_data][currency]": "eur",
    "line_items[0][price_data][unit_amount]": "999",
    "line_items[0][price_data][product_data][name]": "100 points & more",
    customer_email: "buyer@example.com",
    success_url: "http://localhost:3000/points?payment=pay_1",
    cancel_url: "http://localhost:3000/points",
    expires_at: "1900000000",
  });
  await createCheckout(stripe, { ...sale, email: null });
  expect(seen[1]?.body).not.toContain("customer_email");
  await readCheckout(stripe, "cs_1/../x");
  expect(seen[2]).toMatchObject({
    method: "GET",
    path: "/v1/checkout/sessions/cs_1%2F..%2Fx",
    headers: { "stripe-version": expect.any(String) },
  });
  for (const { headers } of seen) expect(headers).not.toHaveProperty("x-stripe-client-telemetry");
});

test("an unusable answer is payments_unavailable after one call, and reveals neither the key nor the buyer", async () => {
  const cases: [number, string, Record<string, string>?][] = [
    [
      500,
      '{"error":{"type":"api_error","message":"An unknown error occurred"}}',
      { "stripe-should-retry": "true" },
    ],
    [
      402,
      '{"error":{"type":"card_error","message":"no","payment_intent":{"receipt_email":"buyer@example.com"}}}',
    ],
    [401, '{"error":{"type":"invalid_request_error","message":"Invalid API Key"}}'],
    [500, JSON.stringify(session)],
    [202, JSON.stringify(session)],
    [200, "{}"],
    [200, "null"],
    [200, "<html>buyer@example.com</html>"],
    [200, ""],
    [204, ""],
    [200, JSON.stringify({ ...session, client_reference_id: "x".repeat(1024 * 1024) })],
    [302, "", { location: "/v1/elsewhere" }],
  ];
  for (const [status, body, headers] of cases) {
    seen.length = 0;
    send(status, body, headers);
    const error = await readCheckout(stripe, "cs_1").catch((thrown: unknown) => thrown);
    expect(error, `${status} ${body.slice(0, 40)}`).toMatchObject({ code: "payments_unavailable" });
    expect(seen, `${status} ${body.slice(0, 40)}`).toHaveLength(1);
    const { internal, cause } = error as { internal?: string; cause?: unknown };
    expect(`${internal} ${JSON.stringify(cause)} ${String(cause)}`).not.toMatch(/canary|buyer/);
  }
  const closed = { ...stripe, apiBase: "http://127.0.0.1:1" };
  await expect(readCheckout(closed, "cs_1")).rejects.toMatchObject({
    code: "payments_unavailable",
  });
});

test("the SDK's console output is suppressed", async () => {
  const written = vi.spyOn(process.stderr, "write").mockReturnValue(true);
  const warned = vi.spyOn(console, "warn").mockReturnValue();
  send(200, JSON.stringify(session), { "stripe-notice": "canary notice" });
  await readCheckout(stripe, "cs_1");
  expect(JSON.stringify([written.mock.calls, warned.mock.calls])).not.toContain("canary");
  written.mockRestore();
  warned.mockRestore();
});

test("a signature is valid five minutes around now, for its own body and secret", async () => {
  const now = 1_800_000_000_000;
  const { body, signature } = signedEvent(stripe.webhookSecret, "x", {}, { at: now / 1000 });
  const check = (header: string | null, at = now, secret = stripe.webhookSecret) =>
    isSignedByStripe(secret, body, header, at);
  for (const offset of [-300_000, 0, 300_000])
    expect(await check(signature, now + offset), String(offset)).toBe(true);
  for (const offset of [-301_000, 301_000])
    expect(await check(signature, now + offset), String(offset)).toBe(false);
  const wrong = [
    null,
    "",
    "t=",
    "v1=",
    "x",
    signature.replace(/t=\d+/, "t=-1"),
    `t=1,${signature}`,
    signature.slice(0, -1),
    `${signature}${",".repeat(2000)}`,
  ];
  for (const header of wrong) expect(await check(header), String(header).slice(0, 80)).toBe(false);
  for (const secret of ["", " ", "whsec_of_another"])
    expect(await check(signature, now, secret), secret).toBe(false);
  expect(await check(`${signature},v1=${"0".repeat(64)}`)).toBe(true);
});
