/** Requests of operators to `/api/admin/accounts/{id}/invoices` and `/api/admin/invoices`. */
import { invoiceEndpoints } from "./invoices";
import type { PageEndpoints } from "./page-endpoint";

export const operatorInvoiceEndpoints = {
  listAccountInvoices: {
    method: "GET",
    path: "/api/admin/accounts/{id}/invoices",
    who: "operator",
    answer: invoiceEndpoints.listInvoices.answer,
  },
  downloadAnyInvoice: {
    method: "GET",
    path: "/api/admin/invoices/{id}/pdf",
    who: "operator",
    answer: "pdf",
  },
} as const satisfies PageEndpoints;
