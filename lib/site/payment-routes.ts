import type { UserSession } from "../accounts/sessions";
import {
  packagesResponse,
  paymentResponse,
  paymentsQuery,
  paymentsResponse,
  startPaymentRequest,
  startPaymentResponse,
} from "../contract/payments";
import { type SiteHost, siteHandler } from "../http/site";
import { listOfferedPackages } from "../queries/packages";
import { listOwnPayments, showOwnPayment } from "../queries/payments";
import { stripeWebhook } from "./payment-webhook";
import { checkOwnPayment, startOwnPayment } from "./payments";
import type { SiteParts } from "./site-parts";

/** Addresses of `/api` about buying points. */
export function paymentRoutes(host: SiteHost<SiteParts, UserSession>) {
  const signedIn = { session: "required", body: null, query: null } as const;
  return {
    listPackages: siteHandler(host, { ...signedIn, answer: packagesResponse, run: ({ parts }) => listOfferedPackages(parts) }),
    startPayment: siteHandler(host, {
      ...signedIn,
      status: 201,
      body: startPaymentRequest,
      answer: startPaymentResponse,
      run: startOwnPayment,
    }),
    listPayments: siteHandler(host, {
      ...signedIn,
      query: paymentsQuery,
      answer: paymentsResponse,
      run: ({ parts, query, user }) => listOwnPayments(parts, { ...query, accountId: user().accountId }),
    }),
    showPayment: siteHandler(host, {
      ...signedIn,
      answer: paymentResponse,
      run: ({ parts, id, user }) => showOwnPayment(parts, { id, accountId: user().accountId }),
    }),
    checkPayment: siteHandler(host, { ...signedIn, answer: paymentResponse, run: checkOwnPayment }),
    receiveStripeEvent: stripeWebhook(host),
  };
}
