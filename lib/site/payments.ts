import type { z } from "zod";
import type { startPaymentRequest } from "../contract/payments";
import { RelayError } from "../errors";
import { showOwnPayment } from "../queries/payments";
import { checkPayment, startPayment } from "../topup/payments";
import { type Stripe, stripeOf } from "../topup/stripe";
import type { Call } from "./call";
import type { SiteParts } from "./site-parts";

/** To an installation that takes no payments their addresses do not exist. */
function requireStripe({ settings }: SiteParts): Stripe {
  const stripe = stripeOf(settings);
  if (stripe === null) throw new RelayError("route_not_found");
  return stripe;
}

export async function startOwnPayment({ parts, body, user }: Call<z.output<typeof startPaymentRequest>>) {
  const { accountId, email } = user();
  const returnUrl = `${parts.settings.publicUrl}/points`;
  return startPayment(parts, requireStripe(parts), { accountId, email, packageId: body.packageId, returnUrl });
}

/** Asks the payment provider first, for a buyer who is back before its message. */
export async function checkOwnPayment({ parts, id, user }: Call) {
  const { accountId } = user();
  await checkPayment(parts, requireStripe(parts), { accountId, paymentId: id });
  return showOwnPayment(parts, { accountId, id });
}
