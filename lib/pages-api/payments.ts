import type { paymentEndpoints } from "../contract/payments";
import { listOfferedPackages } from "../queries/packages";
import { listOwnPayments, showOwnPayment } from "../queries/payments";
import * as open from "../topup/open-payments";
import * as payments from "../topup/payments";
import { requireStripe } from "./require-stripe";
import type { UseCases } from "./use-case";

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
  continuePayment: ({ deps, id, user: { accountId } }) =>
    open.continuePayment(deps, requireStripe(deps), { accountId, paymentId: id }),
  async cancelPayment({ deps, id, user: { accountId } }) {
    await open.cancelPayment(deps, requireStripe(deps), { accountId, paymentId: id });
    return showOwnPayment(deps, { accountId, id });
  },
};
