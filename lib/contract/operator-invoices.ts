/** Requests of operators to `/api/admin/invoices` and `/api/admin/accounts/{id}/invoices`. */
import { z } from "zod";
import { answerRows, answerText, moment } from "./bounds";
import { invoiceEndpoints, invoiceMonth } from "./invoices";
import { CURSOR_LENGTH_MAX, SEARCH_LENGTH_MAX } from "./limits";
import { byOperator, get, type PageEndpoints, post } from "./page-endpoint";
import { points } from "./points";

const count = z.number().int();
const sums = answerRows(z.object({ amount: count, currency: answerText }));

const invoice = z.object({
  id: answerText,
  number: answerText,
  month: answerText,
  createdAt: moment,
  accountId: answerText,
  /** Null for an account without people. */
  email: answerText.nullable(),
  /** The name that the invoice has. */
  buyer: answerText,
  charges: points,
  /** Paid less refunded, by currency. */
  sums,
});

const query = z.strictObject({
  /** A number, an account's id, a part of a mail address or of the buyer's name. */
  q: z.string().trim().max(SEARCH_LENGTH_MAX).optional(),
  month: invoiceMonth.optional(),
  cursor: z.string().max(CURSOR_LENGTH_MAX).regex(/^\d+$/).optional(),
});

const invoicesResponse = z.object({
  /** The highest number first. */
  invoices: answerRows(invoice),
  nextCursor: answerText.nullable(),
  /** Of the month that was asked for, over all its invoices; null without a month. */
  totals: z.object({ count, charges: points, sums }).nullable(),
  /** Months that have an invoice; newest first. */
  months: answerRows(answerText),
  /** Of the month that ended last: invoices that will be made by themselves, and are not yet. */
  due: z.object({ month: answerText, count }),
});

/** What the command line has too. */
export const operatorInvoiceProgramRows = {
  listAllInvoices: {
    ...get("/api/admin/invoices", byOperator("money:read")),
    command: "invoice find",
    query,
    answer: invoicesResponse,
  },
  listAccountInvoices: {
    ...get("/api/admin/accounts/{id}/invoices", byOperator("money:read")),
    answer: invoiceEndpoints.listInvoices.answer,
  },
  makeDueInvoices: {
    ...post("/api/admin/invoices/due", byOperator("operations:write")),
    command: "invoice due",
    answer: z.object({ made: count }),
  },
} as const satisfies PageEndpoints;

export const operatorInvoiceEndpoints = {
  ...operatorInvoiceProgramRows,
  downloadAnyInvoice: {
    ...get("/api/admin/invoices/{id}/pdf", byOperator("money:read")),
    answer: "pdf",
  },
} as const satisfies PageEndpoints;

export type OperatorInvoiceView = z.infer<typeof invoice>;
export type OperatorInvoices = z.infer<typeof invoicesResponse>;
export type OperatorInvoicesQuery = z.output<typeof query>;
