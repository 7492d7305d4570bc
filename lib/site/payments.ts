import type { z } from "zod";
import type { paymentsQuery, startPaymentRequest } from "../contract/payments";
import { RelayError } from "../errors";
import { formatPoints } from "../points";
import { listPackages } from "../topup/packages";
import { findPayment, listPayments, type PaymentLine } from "../topup/payment-history";
import { checkPayment, startPayment } from "../topup/payments";
import { type Stripe, stripeOf } from "../topup/stripe";
import type { Call } from "./call";
import type { SiteParts } from "./site-parts";

const viewOf = ({ points, takenBack, createdAt, paidAt, ...line }: PaymentLine) => ({
  ...line,
  points: formatPoints(points),
  takenBack: formatPoints(takenBack),
  createdAt: createdAt.toISOString(),
  paidAt: paidAt?.toISOString() ?? null,
});

/** To an installation that takes no payments their addresses do not exist. */
function requireStripe({ settings }: SiteParts): Stripe {
  const stripe = stripeOf(settings);
  if (stripe === null) throw new RelayError("route_not_found");
  return stripe;
}

export async function listOwnPackages({ parts }: Call) {
  const packages = stripeOf(parts.settings) === null ? [] : await listPackages(parts.database, { isEnabled: true });
  return { packages: packages.map((each) => ({ ...each, points: formatPoints(each.points), amount: Number(each.amount) })) };
}

export async function startOwnPayment({ parts, body, user }: Call<z.output<typeof startPaymentRequest>>) {
  const { accountId, email } = user();
  const returnUrl = `${parts.settings.publicUrl}/points`;
  return startPayment(parts, requireStripe(parts), { accountId, email, packageId: body.packageId, returnUrl });
}

export async function listOwnPayments({ parts, query, user }: Call<unknown, z.output<typeof paymentsQuery>>) {
  const { payments, nextCursor } = await listPayments(parts.pool, { accountId: user().accountId, cursor: query.cursor });
  return { payments: payments.map(viewOf), nextCursor };
}

export async function showOwnPayment({ parts, id, user }: Call) {
  const payment = await findPayment(parts.pool, { accountId: user().accountId, paymentId: id });
  if (payment === null) throw new RelayError("not_found");
  return { payment: viewOf(payment) };
}

/** Asks the payment provider first, for a buyer who is back before its message. */
export async function checkOwnPayment(call: Call) {
  await checkPayment(call.parts, requireStripe(call.parts), { accountId: call.user().accountId, paymentId: call.id });
  return showOwnPayment(call);
}
