import type { PaymentView } from "../contract/payments";

/**
 * The tone of a payment state: `held` while it may still change, `ok` once the points are final.
 */
export const paymentTones: Record<PaymentView["state"], "plain" | "ok" | "held"> = {
  open: "held",
  pending: "held",
  paid: "ok",
  failed: "plain",
  expired: "plain",
  partly_refunded: "plain",
  refunded: "plain",
  disputed: "held",
  charged_back: "plain",
};
