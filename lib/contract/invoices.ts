/** Requests to `/api/invoices` and `/api/billing`, and their answers; the figures of an invoice. */
import { z } from "zod";
import { answerRows, answerText, moment } from "./bounds";
import { BILLING_ADDRESS_LENGTH_MAX, BILLING_NAME_LENGTH_MAX, TAX_NUMBER_LENGTH_MAX } from "./limits";
import type { PageEndpoints } from "./page-endpoint";
import { points } from "./points";
import { creditKinds } from "./states";

const party = z.object({ name: answerText, address: answerText, taxNumber: answerText });
const count = z.number().int();
const money = { amount: count, currency: z.string().max(10) };

/** As they are stored with an invoice: the PDF is made of nothing else. */
export const invoiceFigures = z.object({
  version: z.literal(1),
  seller: party,
  buyer: party,
  opening: points,
  credits: points,
  takenBack: points,
  charges: points,
  closing: points,
  models: answerRows(z.object({ model: answerText, requests: count, points })),
  entries: answerRows(z.object({ kind: z.enum(creditKinds), count, points })),
  payments: answerRows(
    z.object({ number: answerText, day: answerText, name: answerText, points, ...money }),
  ),
  /** Payments that are in the sums, but not in the list. */
  morePayments: count,
  sums: answerRows(z.object(money)),
});
export type InvoiceFigures = z.infer<typeof invoiceFigures>;

/** A line of text without control characters; line breaks where `isLong`. */
const line = (max: number) =>
  z
    .string()
    .trim()
    .max(max)
    .regex(/^[^\p{Cc}\u2028\u2029\u202a-\u202e\u2066-\u2069]*$/u, "it must have no control characters");
const billingRequest = z.strictObject({
  name: line(BILLING_NAME_LENGTH_MAX).min(1),
  address: line(BILLING_ADDRESS_LENGTH_MAX),
  taxNumber: line(TAX_NUMBER_LENGTH_MAX),
});
const invoice = z.object({ id: answerText, number: answerText, month: answerText, createdAt: moment });
const billing = party.nullable();

export const invoiceEndpoints = {
  listInvoices: {
    method: "GET",
    path: "/api/invoices",
    who: "user",
    answer: z.object({
      invoices: answerRows(invoice),
      /** Months that are over and have no invoice yet, newest first. */
      months: answerRows(answerText),
      billing,
    }),
  },
  makeInvoice: {
    method: "POST",
    path: "/api/invoices",
    who: "user",
    status: 201,
    body: z.strictObject({
      month: z
        .string()
        .max(7)
        .regex(/^20\d\d-(0[1-9]|1[0-2])$/, "it must be a month, such as 2026-10"),
    }),
    answer: z.object({ invoice }),
  },
  downloadInvoice: { method: "GET", path: "/api/invoices/{id}/pdf", who: "user", answer: "pdf" },
  setBilling: {
    method: "POST",
    path: "/api/billing",
    who: "user",
    body: billingRequest,
    answer: z.object({ billing }),
  },
} as const satisfies PageEndpoints;

export type InvoiceView = z.infer<typeof invoice>;
export type BillingDetails = z.infer<typeof billingRequest>;
