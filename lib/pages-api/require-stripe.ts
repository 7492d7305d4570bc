import { RelayError } from "../failures/relay-error";
import { type Stripe, stripeOf } from "../topup/stripe";
import type { PagesDeps } from "./pages-deps";

/** Throws `route_not_found` where payments are not enabled. */
export function requireStripe({ settings }: Pick<PagesDeps, "settings">): Stripe {
  const stripe = stripeOf(settings);
  if (stripe === null) throw new RelayError("route_not_found");
  return stripe;
}
