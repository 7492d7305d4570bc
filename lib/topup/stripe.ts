/**
 * Stripe through its SDK: creates and reads Checkout Sessions, and verifies the signatures of
 * events.
 */
import type StripeClient from "stripe";
import { z } from "zod";
import { RelayError } from "../failures/relay-error";
import type { Settings } from "../settings/settings";
import { isObject } from "../values/records";

/**
 * The API version of requests. The SDK's types allow only this one, so an update of the SDK cannot
 * change it unnoticed.
 */
const API_VERSION = "2026-10-28.endive";
const CALL_MS = 15_000;
const ANSWER_BYTES_MAX = 1024 * 1024;
const SIGNATURE_SECONDS = 300;

export interface Stripe {
  readonly secretKey: string;
  readonly webhookSecret: string;
  readonly apiBase: string;
}

/** What is needed to take payments; null when they are not offered. */
export function stripeOf(settings: Settings): Stripe | null {
  const {
    STRIPE_SECRET_KEY: secretKey,
    STRIPE_WEBHOOK_SECRET: webhookSecret,
    STRIPE_API_BASE: apiBase,
  } = settings;
  return secretKey === undefined || webhookSecret === undefined
    ? null
    : { secretKey, webhookSecret, apiBase };
}

export const id = z.string().min(1).max(255);

/** A reference to a Stripe object: its id, or the object itself when it was expanded. */
export const reference = z
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
  for await (const part of response.body ?? []) {
    text += decoder.decode(part, { stream: true });
    if (text.length > ANSWER_BYTES_MAX) throw new Error("the answer is too large");
  }
  return text;
}

/**
 * Follows no redirect and bounds the answer. Passes none of its headers on: the SDK prints one of
 * them and repeats calls because of another.
 */
async function fetchBounded(
  url: Parameters<typeof fetch>[0],
  init?: RequestInit,
): Promise<Response> {
  const response = await fetch(url, { ...init, redirect: "error" });
  return new Response(await readBounded(response), { status: response.status });
}

/**
 * Loading the SDK takes 17 MB and a tenth of a second, so it is loaded only where payments are
 * taken.
 */
export const loadStripe = async () => (await import("stripe")).default;

async function clientOf({ secretKey, apiBase }: Stripe): Promise<StripeClient> {
  const Client = await loadStripe();
  const { protocol, hostname, port } = new URL(apiBase);
  const isPlain = protocol === "http:";
  return new Client(secretKey, {
    apiVersion: API_VERSION,
    protocol: isPlain ? "http" : "https",
    host: hostname,
    port: port || (isPlain ? "80" : "443"),
    timeout: CALL_MS,
    maxNetworkRetries: 0,
    telemetry: false,
    httpClient: Client.createFetchHttpClient(fetchBounded),
  });
}

type Answer = StripeClient.Response<object>;

/** The status of an error that Stripe answered; undefined when there was no answer. */
export const statusOf = (error: unknown): number | undefined =>
  isObject(error) && typeof error.statusCode === "number" ? error.statusCode : undefined;

/**
 * The SDK's errors contain the answer's body, which can name a buyer. Only their status and message
 * are passed on.
 */
export function unavailableBy(error: unknown): RelayError {
  const { statusCode, message, detail } = error as Partial<StripeClient.errors.StripeError>;
  if (statusCode === undefined)
    return unavailable(`Stripe could not be reached: ${message}`, detail);
  return unavailable(`Stripe answered ${statusCode}: ${message?.slice(0, 300)}`);
}

/**
 * Calls Stripe once and reads its answer. Rejects with `payments_unavailable` for an unusable
 * answer, and with the SDK's error, which can name a buyer, for a refusal.
 */
export async function callStripe<Schema extends z.ZodType>(
  stripe: Stripe,
  schema: Schema,
  call: (client: StripeClient) => Promise<Answer>,
): Promise<z.output<Schema>> {
  const client = await clientOf(stripe);
  const answer = await call(client);
  if (answer.lastResponse.statusCode !== 200)
    throw unavailable(`Stripe answered ${answer.lastResponse.statusCode}`);
  const parsed = schema.safeParse(answer);
  if (!parsed.success) throw unavailable("Stripe's answer was invalid", parsed.error);
  return parsed.data;
}

/** Calls Stripe; every failure is `payments_unavailable`. */
export const askStripe: typeof callStripe = (stripe, schema, call) =>
  callStripe(stripe, schema, (client) =>
    call(client).catch((error: unknown) => {
      throw unavailableBy(error);
    }),
  );

export interface Sale {
  readonly paymentId: string;
  readonly name: string;
  /** In the smallest unit of the currency. */
  readonly amount: number;
  readonly currency: string;
  readonly email: string | null;
  readonly returnUrl: string;
  /** Epoch seconds, at least 30 minutes away. */
  readonly expiresAt: number;
  /** A customer of Stripe's whose card is saved for automatic top-ups. */
  readonly customerId?: string | undefined;
}

/**
 * Opens a Checkout Session, always the same one for the same payment. Rejects with
 * `payments_unavailable`.
 */
export function createCheckout(stripe: Stripe, sale: Sale): Promise<CheckoutSession> {
  const { paymentId, name, amount, currency, email, returnUrl, expiresAt, customerId } = sale;
  const metadata = { payment: paymentId };
  const price = { currency, unit_amount: amount, product_data: { name } };
  const session: StripeClient.Checkout.SessionCreateParams = {
    mode: "payment",
    client_reference_id: paymentId,
    metadata,
    payment_intent_data: {
      metadata,
      ...(customerId && { setup_future_usage: "off_session" as const }),
    },
    line_items: [{ quantity: 1, price_data: price }],
    ...(customerId
      ? { customer: customerId, allowed_payment_method_types: ["card"] }
      : email && { customer_email: email }),
    success_url: `${returnUrl}?payment=${paymentId}`,
    cancel_url: returnUrl,
    expires_at: expiresAt,
  };
  return askStripe(stripe, checkoutSession, ({ checkout }) =>
    checkout.sessions.create(session, { idempotencyKey: paymentId }),
  );
}

/** Reads a Checkout Session. Rejects with `payments_unavailable`. */
export function readCheckout(stripe: Stripe, sessionId: string): Promise<CheckoutSession> {
  return askStripe(stripe, checkoutSession, ({ checkout }) =>
    checkout.sessions.retrieve(sessionId),
  );
}

/**
 * Ends a Checkout Session that is open, and reads it. One that is over stays as it is. Rejects with
 * `payments_unavailable`.
 */
export async function endCheckout(stripe: Stripe, sessionId: string): Promise<CheckoutSession> {
  try {
    return await callStripe(stripe, checkoutSession, ({ checkout }) =>
      checkout.sessions.expire(sessionId),
    );
  } catch (error) {
    // Stripe refuses to end a session that is over.
    if (statusOf(error) === 400) return readCheckout(stripe, sessionId);
    throw error instanceof RelayError ? error : unavailableBy(error);
  }
}

/** The SDK refuses an old signature, but not one from the future. */
function isInFuture(header: string, now: number): boolean {
  const [time, ...more] = [...header.matchAll(/(?:^|,)t=(\d{1,12})(?=,|$)/g)].map(([, seconds]) =>
    Number(seconds),
  );
  return time === undefined || more.length > 0 || time > now / 1000 + SIGNATURE_SECONDS;
}

/** Whether a body was signed with the webhook's secret within five minutes of now. */
export async function isSignedByStripe(
  secret: string,
  body: Uint8Array,
  header: string | null,
  now = Date.now(),
): Promise<boolean> {
  if (header === null || header.length > 2000 || isInFuture(header, now)) return false;
  const { webhooks, errors } = await loadStripe();
  try {
    return (
      webhooks.signature?.verifyHeader(body, header, secret, SIGNATURE_SECONDS, undefined, now) ??
      false
    );
  } catch (error) {
    if (error instanceof errors.StripeSignatureVerificationError) return false;
    throw error;
  }
}
