/** Why a payment needs an operator. */
export const paymentAttentions = [
  "amount_mismatch",
  "refunded",
  "refund_failed",
  "points_short",
  "dispute_open",
  "dispute_won",
  "dispute_lost",
  "period_unused",
  "account_closed",
] as const;
export type PaymentAttention = (typeof paymentAttentions)[number];

/** Why a period of a plan was not paid by the saved card. */
export const planFailures = ["needs_person", "card_declined", "card_gone"] as const;
export type PlanFailure = (typeof planFailures)[number];

/** Why a charge of the saved card was not paid. */
export type TopupFailure = PlanFailure | "unsent";

/** Why automatic top-ups wait for the account's people. */
export const topupPauses = [
  "needs_person",
  "card_declined",
  "card_gone",
  "package_changed",
  "money_back",
] as const;
export type TopupPause = (typeof topupPauses)[number];
