/** Paths below `/api` that are not in the tables of the pages' API. */

/** The sign-in library's own addresses. */
export const AUTH_PATH = "/api/auth";
/** A signed-in page's request to the relay: this prefix, then the path of the relay's API. */
export const PLAYGROUND_PATH = "/api/playground";
/** The payment provider's webhook. */
export const STRIPE_EVENTS_PATH = "/api/payments/stripe";
