/** Saved cards at Stripe: customers, the pages that save a card, and charges of a saved card. */
import type StripeClient from "stripe";
import { RelayError } from "../failures/relay-error";
import { isObject } from "../values/records";
import {
  cardSession,
  cardSessionRead,
  intentList,
  named,
  type PaymentIntent,
  paymentIntent,
} from "./card-answers";
import { askStripe, callStripe, type Stripe, statusOf, unavailableBy } from "./stripe";

interface SavedCard {
  readonly id: string;
  readonly brand: string;
  readonly last4: string;
  /** Such as `2031-07`. */
  readonly expires: string;
}

/** Creates the customer of an account. Rejects with `payments_unavailable`. */
export async function createCustomer(stripe: Stripe, accountId: string): Promise<string> {
  const params = { metadata: { account: accountId } };
  const key = { idempotencyKey: `customer:${accountId}` };
  const made = await askStripe(stripe, named, ({ customers }) => customers.create(params, key));
  return made.id;
}

interface CardPage {
  readonly id: string;
  readonly customerId: string;
  readonly returnUrl: string;
}

/** Opens a page that saves a card without a payment. Rejects with `payments_unavailable`. */
export async function createCardPage(
  stripe: Stripe,
  { id: checkoutId, customerId, returnUrl }: CardPage,
): Promise<{ id: string; url: string }> {
  const params: StripeClient.Checkout.SessionCreateParams = {
    mode: "setup",
    client_reference_id: checkoutId,
    customer: customerId,
    allowed_payment_method_types: ["card"],
    success_url: `${returnUrl}?card=${checkoutId}`,
    cancel_url: returnUrl,
  };
  const session = await askStripe(stripe, cardSession, ({ checkout }) =>
    checkout.sessions.create(params, { idempotencyKey: checkoutId }),
  );
  if (session.url == null || !/^https?:\/\//.test(session.url))
    throw new RelayError("payments_unavailable", {
      internal: `session ${session.id} has no address`,
    });
  return { id: session.id, url: session.url };
}

/** What became of a page that saves a card: `card` once it is complete. */
export async function readCardPage(
  stripe: Stripe,
  { sessionId, customerId }: { sessionId: string; customerId: string },
): Promise<{ isOver: boolean; card: SavedCard | null }> {
  const expand = ["setup_intent.payment_method", "payment_intent.payment_method"];
  const session = await askStripe(stripe, cardSessionRead, ({ checkout }) =>
    checkout.sessions.retrieve(sessionId, { expand }),
  );
  if (session.status === "open") return { isOver: false, card: null };
  const method = (session.setup_intent ?? session.payment_intent)?.payment_method;
  const isOwn = session.status === "complete" && session.customer === customerId;
  if (!isOwn || session.payment_status === "unpaid" || method?.card == null)
    return { isOver: true, card: null };
  const { brand, last4, exp_month: month, exp_year: year } = method.card;
  const expires = `${year}-${String(month).padStart(2, "0")}`;
  return { isOver: true, card: { id: method.id, brand, last4, expires } };
}

export interface CardCharge {
  readonly paymentId: string;
  readonly customerId: string;
  readonly cardId: string;
  readonly amount: number;
  readonly currency: string;
}

/**
 * The intent that a refusal of the card left; null when there is none and the request was refused
 * as it is, for example because the card was removed at Stripe. Throws `payments_unavailable` where
 * it is not certain that nothing was charged.
 */
function intentOfRefusal(error: unknown): PaymentIntent | null {
  const status = statusOf(error);
  const { type, payment_intent: left } = isObject(error) && isObject(error.raw) ? error.raw : {};
  if (status === 402) {
    const intent = paymentIntent.safeParse(left);
    if (intent.success) return intent.data;
  }
  if ((status === 400 || status === 404) && type === "invalid_request_error") return null;
  throw unavailableBy(error);
}

/**
 * Charges a saved card, once for each payment, however often it is called within a day. Null when
 * Stripe refused the request as it is. Rejects with `payments_unavailable` when the result is not
 * known.
 */
export async function chargeCard(
  stripe: Stripe,
  { paymentId, customerId, cardId, amount, currency }: CardCharge,
): Promise<PaymentIntent | null> {
  const params: StripeClient.PaymentIntentCreateParams = {
    amount,
    currency,
    customer: customerId,
    payment_method: cardId,
    allowed_payment_method_types: ["card"],
    off_session: true,
    confirm: true,
    error_on_requires_action: true,
    metadata: { payment: paymentId },
  };
  let refused: PaymentIntent | null | undefined;
  try {
    return await callStripe(stripe, paymentIntent, ({ paymentIntents }) =>
      paymentIntents.create(params, { idempotencyKey: paymentId }).catch((error: unknown) => {
        refused = intentOfRefusal(error);
        throw error;
      }),
    );
  } catch (error) {
    if (refused === undefined) throw error;
    return refused;
  }
}

export const readIntent = (stripe: Stripe, intentId: string): Promise<PaymentIntent> =>
  askStripe(stripe, paymentIntent, ({ paymentIntents }) => paymentIntents.retrieve(intentId));

/** Hundreds of intents of one customer in which one is looked for. */
const INTENT_PAGES_MAX = 10;

/**
 * The intent that was made for a payment since a time (epoch seconds); null when there is none.
 * Rejects with `payments_unavailable` where it is not certain.
 */
export async function findIntent(
  stripe: Stripe,
  { paymentId, customerId, since }: { paymentId: string; customerId: string; since: number },
): Promise<PaymentIntent | null> {
  const params = { customer: customerId, created: { gte: since }, limit: 100 };
  let after: { starting_after?: string } = {};
  for (let page = 0; page < INTENT_PAGES_MAX; page++) {
    const { data, has_more: hasMore } = await askStripe(stripe, intentList, ({ paymentIntents }) =>
      paymentIntents.list({ ...params, ...after }),
    );
    const found = data.find(({ metadata }) => metadata.payment === paymentId);
    if (found !== undefined) return found;
    const last = data.at(-1);
    if (!hasMore || last === undefined) return null;
    after = { starting_after: last.id };
  }
  throw new RelayError("payments_unavailable", {
    internal: `${customerId} has too many intents to find one of ${paymentId}`,
  });
}

/** Ends an intent, so that nothing can be charged by it any more. */
export const cancelIntent = (stripe: Stripe, intentId: string): Promise<PaymentIntent> =>
  askStripe(stripe, paymentIntent, ({ paymentIntents }) => paymentIntents.cancel(intentId));

/** Forgets a card, or a customer with all cards. Repeating it changes nothing. */
export async function forgetAtStripe(stripe: Stripe, name: string): Promise<void> {
  await callStripe(stripe, named, (client) =>
    name.startsWith("cus_") ? client.customers.del(name) : client.paymentMethods.detach(name),
  ).catch((error: unknown) => {
    const status = statusOf(error);
    // Unknown to Stripe, or not attached to anyone.
    if (status !== 404 && status !== 400)
      throw error instanceof RelayError ? error : unavailableBy(error);
  });
}
