/** The facts of a payment provider's event that are stored: no names, no addresses, no cards. */
import { z } from "zod";
import { type PaymentIntent, paymentIntent } from "./card-answers";
import { type CheckoutSession, checkoutSession, id, reference } from "./stripe";

const currencyCode = z.string().max(10);
const minor = z.number().int().min(0).max(Number.MAX_SAFE_INTEGER);
const sessionFacts = z.object({
  about: z.literal("session"),
  sessionId: id,
  paymentId: id.nullable(),
  isPaid: z.boolean(),
  isOver: z.enum(["failed", "expired"]).nullable(),
  amount: z.number().nullable(),
  currency: currencyCode.nullable(),
  intentId: id.nullable(),
});
const refundFacts = z.object({
  about: z.literal("refund"),
  intentId: id.nullable(),
  refunded: minor,
  currency: currencyCode,
});
const disputeFacts = z.object({
  about: z.literal("dispute"),
  disputeId: id,
  intentId: id.nullable(),
  amount: minor,
  currency: currencyCode,
  status: z.enum(["open", "won", "lost"]),
});
const refundFailedFacts = z.object({ about: z.literal("refund_failed"), intentId: id.nullable() });
/** Of a card that was charged automatically, once it was. */
const intentFacts = z.object({
  about: z.literal("intent"),
  intentId: id,
  paymentId: id.nullable(),
  amount: minor,
  currency: currencyCode,
});
const nothingFacts = z.object({ about: z.literal("nothing"), intentId: z.null() });

export const eventFacts = z.discriminatedUnion("about", [
  sessionFacts,
  refundFacts,
  disputeFacts,
  refundFailedFacts,
  intentFacts,
  nothingFacts,
]);
export type EventFacts = z.output<typeof eventFacts>;
export type SessionFacts = z.output<typeof sessionFacts>;
export type IntentFacts = z.output<typeof intentFacts>;

export const event = z.object({
  object: z.literal("event"),
  id,
  type: z.string().min(1).max(100),
  data: z.object({ object: z.unknown() }),
});
export const charge = z.object({
  object: z.literal("charge"),
  amount_refunded: minor,
  currency: currencyCode,
  payment_intent: reference,
});
export const dispute = z.object({
  object: z.literal("dispute"),
  id,
  amount: minor,
  currency: currencyCode,
  status: z.string().max(100),
  payment_intent: reference,
});
export const refund = z.object({ object: z.literal("refund"), payment_intent: reference });

export function factsOfSession(
  session: CheckoutSession,
  isOver: SessionFacts["isOver"] = null,
): SessionFacts {
  return {
    about: "session",
    sessionId: session.id,
    paymentId: session.client_reference_id ?? null,
    isPaid: session.payment_status === "paid",
    isOver: isOver ?? (session.status === "expired" ? "expired" : null),
    amount: session.amount_total ?? null,
    currency: session.currency ?? null,
    intentId: session.payment_intent,
  };
}

export const factsOfIntent = (intent: PaymentIntent): IntentFacts => ({
  about: "intent",
  intentId: intent.id,
  paymentId: intent.metadata.payment ?? null,
  amount: intent.amount_received,
  currency: intent.currency,
});

const nothing: EventFacts = { about: "nothing", intentId: null };

function factsOfDispute(object: unknown): EventFacts {
  const {
    id: disputeId,
    amount,
    currency,
    status,
    payment_intent: intentId,
  } = dispute.parse(object);
  // An inquiry (`warning_…`) moves no money.
  if (status.startsWith("warning")) return nothing;
  return {
    about: "dispute",
    disputeId,
    amount,
    currency,
    intentId,
    status: status === "won" || status === "lost" ? status : "open",
  };
}

function factsOf(type: string, object: unknown): EventFacts {
  switch (type) {
    case "checkout.session.completed":
    case "checkout.session.async_payment_succeeded":
      return factsOfSession(checkoutSession.parse(object));
    case "checkout.session.async_payment_failed":
      return factsOfSession(checkoutSession.parse(object), "failed");
    case "checkout.session.expired":
      return factsOfSession(checkoutSession.parse(object), "expired");
    case "charge.refunded": {
      const {
        amount_refunded: refunded,
        currency,
        payment_intent: intentId,
      } = charge.parse(object);
      return { about: "refund", refunded, currency, intentId };
    }
    // How a charge failed is read from the payment provider's answer.
    case "payment_intent.succeeded":
      return factsOfIntent(paymentIntent.parse(object));
    case "refund.failed":
      return { about: "refund_failed", intentId: refund.parse(object).payment_intent };
    default:
      return type.startsWith("charge.dispute.") ? factsOfDispute(object) : nothing;
  }
}

/**
 * Reads an event whose signature was verified. Throws zod's error when it does not have the known
 * form.
 */
export function readEvent(body: unknown): { id: string; type: string; facts: EventFacts } {
  const { id: eventId, type, data } = event.parse(body);
  return { id: eventId, type, facts: factsOf(type, data.object) };
}
