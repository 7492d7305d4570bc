/** The parts of Stripe's answers about cards and their charges that are read. */
import { z } from "zod";
import { id, reference } from "./stripe";

const minor = z.number().int().min(0).max(Number.MAX_SAFE_INTEGER);

export const paymentIntent = z.object({
  object: z.literal("payment_intent"),
  id,
  status: z.string().max(100),
  amount_received: minor.default(0),
  currency: z.string().max(10),
  customer: reference,
  metadata: z.object({ payment: z.string().max(255).optional() }).default({}),
  last_payment_error: z.object({ code: z.string().max(100).nullish() }).nullish(),
});
export type PaymentIntent = z.output<typeof paymentIntent>;

const card = z.object({
  brand: z.string().min(1).max(40),
  last4: z
    .string()
    .max(4)
    .regex(/^\d{4}$/),
  exp_month: z.int().min(1).max(12),
  exp_year: z.int().min(2000).max(9999),
});
const paymentMethod = z.object({ id, card: card.nullish() });
const intentWithCard = z.object({ payment_method: paymentMethod.nullish() }).nullish();
export const cardSession = z.object({
  object: z.literal("checkout.session"),
  id,
  status: z.enum(["open", "complete", "expired"]).nullish(),
  payment_status: z.enum(["paid", "unpaid", "no_payment_required"]),
  url: z.string().max(8192).nullish(),
  customer: reference,
});
export const cardSessionRead = cardSession.extend({
  setup_intent: intentWithCard,
  payment_intent: intentWithCard,
});
export const named = z.object({ id });
export const intentList = z.object({
  data: z.array(paymentIntent).max(100),
  has_more: z.boolean().default(false),
});
