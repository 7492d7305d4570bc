/** A Checkout Session of the fake Stripe. */
export interface TestSession {
  readonly object: "checkout.session";
  readonly id: string;
  readonly client_reference_id: string;
  status: "open" | "complete" | "expired";
  payment_status: "paid" | "unpaid" | "no_payment_required";
  readonly mode: string;
  readonly customer: string | null;
  readonly amount_total: number;
  readonly currency: string;
  payment_intent: string | null;
  url: string | null;
  readonly success_url: string;
}
