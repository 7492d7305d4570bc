/** Requests to `/api/invoices` and `/api/billing`, and their answers; the figures of an invoice. */
import { z } from "zod";
import { answerRows, answerText, moment } from "./bounds";
import {
  BILLING_ADDRESS_LENGTH_MAX,
  BILLING_NAME_LENGTH_MAX,
  TAX_NUMBER_LENGTH_MAX,
} from "./limits";
import { byUser, get, type PageEndpoints, post } from "./page-endpoint";
import { points } from "./points";
import { shownLine, shownName } from "./shown-text";
import { creditKinds } from "./states";

/** As invoices and receipts print it. */
export const party = z.object({ name: answerText, address: answerText, taxNumber: answerText });
const count = z.number().int();
const money = { amount: count, currency: answerText };

/** As they are stored with an invoice: the PDF is made of nothing else. */
export const invoiceFigures = z.object({
  version: z.literal(1),
  seller: party,
  buyer: party,
  /** `opening` + `credits` - `takenBack` - `charges` = `closing`, as in the statement. */
  opening: points,
  credits: points,
  takenBack: points,
  charges: points,
  closing: points,
  /** An empty model sums up all further ones. */
  models: answerRows(z.object({ model: answerText, requests: count, points })),
  /** Negative where points were taken. */
  entries: answerRows(z.object({ kind: z.enum(creditKinds), count, points })),
  payments: answerRows(
    z.object({ number: answerText, day: answerText, name: answerText, points, ...money }),
  ),
  /** Payments that are in the sums, but not in the list. */
  morePayments: count,
  /** Money given back in the month, by payment; in the sums also those beyond the list. */
  refunds: answerRows(z.object({ number: answerText, ...money })),
  /** Paid less refunded, by currency. */
  sums: answerRows(z.object(money)),
});
export type InvoiceFigures = z.infer<typeof invoiceFigures>;
export type Party = InvoiceFigures["seller"];

const billingRequest = z.strictObject({
  name: shownName(BILLING_NAME_LENGTH_MAX),
  address: shownLine(BILLING_ADDRESS_LENGTH_MAX).default(""),
  taxNumber: shownLine(TAX_NUMBER_LENGTH_MAX).default(""),
});
export const invoiceMonth = z
  .string()
  .max(7)
  .regex(/^20\d\d-(0[1-9]|1[0-2])$/, "it must be a month, such as 2026-10");

const invoice = z.object({
  id: answerText,
  number: answerText,
  month: answerText,
  createdAt: moment,
});
const invoicesResponse = z.object({
  /** The newest hundred. */
  invoices: answerRows(invoice),
  /** Months that are over, had any movement, and have no invoice yet; newest first. */
  months: answerRows(answerText),
  billing: party.nullable(),
});

/** What the command line has too. */
export const invoiceProgramRows = {
  listInvoices: {
    ...get("/api/invoices", byUser("readPoints", "points:read")),
    command: "invoice list",
    answer: invoicesResponse,
  },
  makeInvoice: {
    ...post("/api/invoices", byUser("topUp", "points:write")),
    command: "invoice make",
    status: 201,
    body: z.strictObject({ month: invoiceMonth }),
    answer: z.object({ invoice }),
  },
  setBilling: {
    ...post("/api/billing", byUser("topUp", "account:write")),
    command: "billing set",
    body: billingRequest,
    answer: z.object({ billing: party }),
  },
} as const satisfies PageEndpoints;

export const invoiceEndpoints = {
  ...invoiceProgramRows,
  downloadInvoice: {
    ...get("/api/invoices/{id}/pdf", byUser("readPoints", "points:read")),
    answer: "pdf",
  },
  downloadReceipt: {
    ...get("/api/payments/{id}/receipt", byUser("readPoints", "points:read")),
    answer: "pdf",
  },
} as const satisfies PageEndpoints;

export type InvoiceView = z.infer<typeof invoice>;
export type InvoicesView = z.infer<typeof invoicesResponse>;
export type BillingDetails = z.infer<typeof billingRequest>;
