import type { PaymentView } from "../contract/payments";

/** The tone of a payment's state: `held` where it may still change, `ok` where the points are there for good. */
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
