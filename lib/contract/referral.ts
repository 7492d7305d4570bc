/** Referral links, as the pages show them. */

/** Where the browser keeps the code of the link that it came by, and for how long. */
export const REFERRAL_COOKIE = "relay-referral";
export const REFERRAL_COOKIE_SECONDS = 7 * 86_400;

/** What a link promises to who signs up by it. */
export interface ReferralOffer {
  readonly code: string;
  readonly points: string;
  readonly days: number;
}

export type ReferralState = "waiting" | "rewarded" | "not_counted";

/** A referred account with a paid top-up; says nothing about who it is. */
export interface ReferralLine {
  /** When the top-up was credited. */
  readonly at: string;
  readonly points: string;
  readonly state: ReferralState;
}

export interface ReferralView {
  readonly code: string;
  /** What both get now; 0 where links are off. */
  readonly points: string;
  readonly days: number;
  readonly monthMax: number | null;
  readonly totalMax: number | null;
  /** Accounts that came by the link, and how many of them were rewarded. */
  readonly signedUp: number;
  /** How many of them topped up. */
  readonly paid: number;
  readonly rewarded: number;
  readonly earned: string;
  /** The newest first, at most 20. */
  readonly lines: readonly ReferralLine[];
  /** Of the link that the account itself came by; null when it came by none. */
  readonly own: { readonly points: string; readonly state: ReferralState } | null;
}
