/** What is left of one limit of a key, right after a hold. */
export interface KeyRoom {
  /** `lifetime`, or a kind of limit. */
  readonly kind: string;
  /** Micropoints, requests or tokens. */
  readonly left: bigint;
}
