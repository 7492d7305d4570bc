/**
 * Requests to `/api/packages` and `/api/payments`, and their answers. Amounts of money are in the
 * currency's smallest unit.
 */

import { z } from "zod";
import { answerRows, answerText, moment } from "./bounds";
import { CURSOR_LENGTH_MAX, ID_LENGTH_MAX } from "./limits";
import { byUser, get, type PageEndpoints, post } from "./page-endpoint";
import { points } from "./points";

const money = { amount: z.number().int(), currency: answerText };

/** No package is offered without a payment provider. */
const packagesResponse = z.object({
  packages: answerRows(
    z.object({ id: answerText, name: answerText, note: answerText.nullable(), points, ...money }),
  ),
});

const startPaymentRequest = z.strictObject({ packageId: z.string().min(1).max(ID_LENGTH_MAX) });
const startPaymentResponse = z.object({ paymentId: answerText, url: answerText });

const paymentStates = [
  "open",
  "pending",
  "paid",
  "failed",
  "expired",
  "partly_refunded",
  "refunded",
  "disputed",
  "charged_back",
] as const;
export const payment = z.object({
  id: answerText,
  /** Numbered over the whole installation: the number of the receipt. */
  number: answerText,
  packageName: answerText,
  /** It pays for periods of a plan. */
  isPlan: z.boolean(),
  points,
  ...money,
  state: z.enum(paymentStates),
  isCredited: z.boolean(),
  refunded: z.number().int(),
  /** Points that were taken back for a refund or a dispute. */
  takenBack: points,
  createdAt: moment,
  paidAt: moment.nullable(),
});
export const paymentsQuery = z.object({ cursor: z.string().max(CURSOR_LENGTH_MAX).optional() });
const paymentsResponse = z.object({
  payments: answerRows(payment),
  nextCursor: answerText.nullable(),
});
const paymentResponse = z.object({ payment });

export const paymentEndpoints = {
  listPackages: {
    ...get("/api/packages", byUser("readPoints", "points:read")),
    answer: packagesResponse,
  },
  startPayment: {
    ...post("/api/payments", byUser("buy")),
    noKey: "buyer",
    noCommand: "buyer",
    status: 201,
    body: startPaymentRequest,
    answer: startPaymentResponse,
  },
  listPayments: {
    ...get("/api/payments", byUser("readPoints", "points:read")),
    query: paymentsQuery,
    answer: paymentsResponse,
  },
  showPayment: {
    ...get("/api/payments/{id}", byUser("readPoints", "points:read")),
    answer: paymentResponse,
  },
  checkPayment: {
    ...post("/api/payments/{id}/check", byUser("topUp", "points:write")),
    command: "payment check",
    answer: paymentResponse,
  },
  /** Opens the page of an open payment again. */
  continuePayment: {
    ...post("/api/payments/{id}/page", byUser("buy")),
    noKey: "buyer",
    noCommand: "buyer",
    answer: startPaymentResponse,
  },
  /** Ends a payment that is not paid yet. */
  cancelPayment: {
    ...post("/api/payments/{id}/cancel", byUser("topUp")),
    noKey: "buyer",
    noCommand: "buyer",
    answer: paymentResponse,
  },
} as const satisfies PageEndpoints;

export type PackageView = z.infer<typeof packagesResponse>["packages"][number];
export type PaymentView = z.infer<typeof payment>;
