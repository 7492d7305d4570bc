import type { paymentEndpoints } from "../contract/payments";
import { RelayError } from "../errors";
import { listOfferedPackages } from "../queries/packages";
import { listOwnPayments, showOwnPayment } from "../queries/payments";
import * as payments from "../topup/payments";
import { type Stripe, stripeOf } from "../topup/stripe";
import type { PagesDeps } from "./pages-deps";
import type { UseCases } from "./use-case";

/** Throws `not_found` where payments are not enabled. */
function requireStripe({ settings }: PagesDeps): Stripe {
  const stripe = stripeOf(settings);
  if (stripe === null) throw new RelayError("route_not_found");
  return stripe;
}

export const paymentUseCases: UseCases<typeof paymentEndpoints> = {
  listPackages: ({ deps }) => listOfferedPackages(deps),
  async startPayment({ deps, body, user: { accountId, email } }) {
    const returnUrl = `${deps.settings.publicUrl}/points`;
    const wanted = { accountId, email, packageId: body.packageId, returnUrl };
    return payments.startPayment(deps, requireStripe(deps), wanted);
  },
  listPayments: ({ deps, query, user }) =>
    listOwnPayments(deps, { ...query, accountId: user.accountId }),
  showPayment: ({ deps, id, user }) => showOwnPayment(deps, { id, accountId: user.accountId }),
  /** Asks the payment provider first, since a buyer may return before its webhook event arrives. */
  async checkPayment({ deps, id, user: { accountId } }) {
    await payments.checkPayment(deps, requireStripe(deps), { accountId, paymentId: id });
    return showOwnPayment(deps, { accountId, id });
  },
};
