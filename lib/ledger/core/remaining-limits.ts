/** What is left of one limit of a key, or of its maker, right after a hold. */
export interface RemainingLimits {
  /** `lifetime`, a kind of limit, or `member_` with the period of a member's budget. */
  readonly kind: string;
  /** Micropoints, requests or tokens. */
  readonly left: bigint;
}
