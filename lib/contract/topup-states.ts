/** Why a payment needs an operator. */
export const paymentAttentions = [
  "amount_mismatch",
  "refunded",
  "refund_failed",
  "points_short",
  "dispute_open",
  "dispute_won",
  "dispute_lost",
] as const;
export type PaymentAttention = (typeof paymentAttentions)[number];

/** Why an automatic top-up was not paid. */
export type TopupFailure = "needs_person" | "card_declined" | "card_gone" | "unsent";

/** Why automatic top-ups wait for the account's people. */
export const topupPauses = [
  "needs_person",
  "card_declined",
  "card_gone",
  "package_changed",
  "money_back",
] as const;
export type TopupPause = (typeof topupPauses)[number];
