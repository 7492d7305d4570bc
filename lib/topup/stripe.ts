/** The little of Stripe that is used: a Checkout Session made and read, and the signature of what it sends. */
import { createHmac, timingSafeEqual } from "node:crypto";
import { z } from "zod";
import { RelayError } from "../errors";
import type { Settings } from "../settings";

const CALL_MS = 15_000;
const ANSWER_BYTES_MAX = 1024 * 1024;
const SIGNATURE_SECONDS = 300;

export interface Stripe {
  readonly secretKey: string;
  readonly webhookSecret: string;
  readonly apiBase: string;
}

/** What is needed to take payments; null: payments are not offered here. */
export function stripeOf(settings: Settings): Stripe | null {
  const { STRIPE_SECRET_KEY: secretKey, STRIPE_WEBHOOK_SECRET: webhookSecret, STRIPE_API_BASE: apiBase } = settings;
  return secretKey === undefined || webhookSecret === undefined ? null : { secretKey, webhookSecret, apiBase };
}

const id = z.string().min(1).max(255);

/** A reference of Stripe's: the id, or the whole thing where it was expanded. */
const reference = z
  .union([id, z.object({ id }).transform((whole) => whole.id)])
  .nullish()
  .transform((value) => value ?? null);

export const checkoutSession = z.object({
  object: z.literal("checkout.session"),
  id,
  client_reference_id: z.string().max(255).nullish(),
  status: z.enum(["open", "complete", "expired"]).nullish(),
  payment_status: z.enum(["paid", "unpaid", "no_payment_required"]),
  amount_total: z.number().int().nullish(),
  currency: z.string().max(10).nullish(),
  payment_intent: reference,
  url: z.string().max(8192).nullish(),
});
export type CheckoutSession = z.output<typeof checkoutSession>;

const unavailable = (internal: string, cause?: unknown) =>
  new RelayError("payments_unavailable", { internal, cause, retryAfterSeconds: 10 });

async function readBounded(response: Response): Promise<string> {
  let text = "";
  const decoder = new TextDecoder();
  for await (const part of (response.body ?? []) as AsyncIterable<Uint8Array>) {
    text += decoder.decode(part, { stream: true });
    if (text.length > ANSWER_BYTES_MAX) throw new Error("the answer is too large");
  }
  return text;
}

async function callStripe(stripe: Stripe, path: string, sent?: { form: Record<string, string>; idempotencyKey: string }) {
  let status: number;
  let text: string;
  try {
    const response = await fetch(new URL(path, stripe.apiBase), {
      method: sent ? "POST" : "GET",
      redirect: "error",
      signal: AbortSignal.timeout(CALL_MS),
      headers: {
        authorization: `Bearer ${stripe.secretKey}`,
        ...(sent && { "idempotency-key": sent.idempotencyKey, "content-type": "application/x-www-form-urlencoded" }),
      },
      body: sent && new URLSearchParams(sent.form).toString(),
    });
    status = response.status;
    text = await readBounded(response);
  } catch (cause) {
    throw unavailable("Stripe could not be asked", cause);
  }
  if (status !== 200) throw unavailable(`Stripe answered ${status}: ${text.slice(0, 300)}`);
  const parsed = checkoutSession.safeParse(parseOrNull(text));
  if (!parsed.success) throw unavailable("Stripe's answer could not be read", parsed.error);
  return parsed.data;
}

function parseOrNull(text: string): unknown {
  try {
    return JSON.parse(text);
  } catch {
    return null;
  }
}

export interface Sale {
  readonly paymentId: string;
  readonly name: string;
  /** Smallest unit. */
  readonly amount: number;
  readonly currency: string;
  readonly email: string | null;
  readonly returnUrl: string;
  /** Epoch seconds, at least 30 minutes away. */
  readonly expiresAt: number;
}

/** Opens a Checkout Session, the same one however often it is asked for the same payment. Rejects with `payments_unavailable`. */
export function createCheckout(stripe: Stripe, sale: Sale): Promise<CheckoutSession> {
  const { paymentId, name, amount, currency, email, returnUrl, expiresAt } = sale;
  return callStripe(stripe, "/v1/checkout/sessions", {
    idempotencyKey: paymentId,
    form: {
      mode: "payment",
      client_reference_id: paymentId,
      "metadata[payment]": paymentId,
      "payment_intent_data[metadata][payment]": paymentId,
      "line_items[0][quantity]": "1",
      "line_items[0][price_data][currency]": currency,
      "line_items[0][price_data][unit_amount]": String(amount),
      "line_items[0][price_data][product_data][name]": name,
      ...(email && { customer_email: email }),
      success_url: `${returnUrl}?payment=${paymentId}`,
      cancel_url: returnUrl,
      expires_at: String(expiresAt),
    },
  });
}

/** Reads a Checkout Session. Rejects with `payments_unavailable`. */
export function readCheckout(stripe: Stripe, sessionId: string): Promise<CheckoutSession> {
  return callStripe(stripe, `/v1/checkout/sessions/${encodeURIComponent(sessionId)}`);
}

/**
 * Whether a body was signed with the webhook's secret (`t=…,v1=…`: HMAC-SHA256 of time, dot and body) within five minutes of now.
 * Several `v1` may be given while a secret is being replaced.
 */
export function isSignedByStripe(secret: string, body: Uint8Array, header: string | null, now = Date.now()): boolean {
  if (secret === "" || header === null || header.length > 2000) return false;
  const fields = header.split(",").map((part) => part.trim().split("=", 2) as [string, string | undefined]);
  const time = fields.find(([name]) => name === "t")?.[1] ?? "";
  if (!/^\d{1,12}$/.test(time) || Math.abs(now / 1000 - Number(time)) > SIGNATURE_SECONDS) return false;
  const due = createHmac("sha256", secret).update(`${time}.`).update(body).digest();
  return fields.some(([name, value]) => {
    if (name !== "v1" || !/^[0-9a-f]{64}$/.test(value ?? "")) return false;
    return timingSafeEqual(Buffer.from(value as string, "hex"), due);
  });
}
