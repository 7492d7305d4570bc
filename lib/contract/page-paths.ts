/** Paths of pages, and paths below `/api` that are not in the tables of the pages' API. */

import type { LegalPage } from "./setting-names";

/** The sign-in library's own addresses. */
export const AUTH_PATH = "/api/auth";
/** A signed-in page's request to the relay: this prefix, then the path of the relay's API. */
export const PLAYGROUND_PATH = "/api/playground";
/** The payment provider's webhook. */
export const STRIPE_EVENTS_PATH = "/api/payments/stripe";

/** The page of the keys with the dialog that creates an API key. */
export const NEW_KEY_PATH = "/keys?new=key";
/** The same for a visitor, who signs up first. */
export const FIRST_KEY_PATH = `/signup?callbackUrl=${encodeURIComponent(NEW_KEY_PATH)}`;

export const legalPath = (page: LegalPage): string => `/legal/${page}`;
