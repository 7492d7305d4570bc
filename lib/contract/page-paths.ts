/** What stands below `/api` beside the tables of the pages' API. */

/** The sign-in library's own addresses. */
export const AUTH_PATH = "/api/auth";
/** Before a path of the relay's own API: a signed-in page's request to it. */
export const PLAYGROUND_PATH = "/api/playground";
/** Where the payment provider tells of payments. */
export const STRIPE_EVENTS_PATH = "/api/payments/stripe";
