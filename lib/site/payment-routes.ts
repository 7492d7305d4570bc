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
import { stripeWebhook } from "./payment-webhook";
import { checkOwnPayment, listOwnPackages, listOwnPayments, showOwnPayment, startOwnPayment } from "./payments";
import type { SiteParts } from "./site-parts";

/** Addresses of `/api` about buying points. */
export function paymentRoutes(host: SiteHost<SiteParts, UserSession>) {
  const signedIn = { session: "required", body: null, query: null } as const;
  return {
    listPackages: siteHandler(host, { ...signedIn, answer: packagesResponse, run: listOwnPackages }),
    startPayment: siteHandler(host, {
      ...signedIn,
      status: 201,
      body: startPaymentRequest,
      answer: startPaymentResponse,
      run: startOwnPayment,
    }),
    listPayments: siteHandler(host, { ...signedIn, query: paymentsQuery, answer: paymentsResponse, run: listOwnPayments }),
    showPayment: siteHandler(host, { ...signedIn, answer: paymentResponse, run: showOwnPayment }),
    checkPayment: siteHandler(host, { ...signedIn, answer: paymentResponse, run: checkOwnPayment }),
    receiveStripeEvent: stripeWebhook(host),
  };
}
