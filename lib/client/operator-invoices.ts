import { operatorInvoiceEndpoints } from "../contract/operator-invoices";
import type { PageFilterOf } from "../contract/page-endpoint";
import { addressOf, call } from "./call";
import { usePages } from "./pages";

type Filter = PageFilterOf<typeof operatorInvoiceEndpoints.listAllInvoices>;

export const useAllInvoices = (filter: Filter) =>
  usePages(["operator", "invoices", filter], ({ cursor, signal }) =>
    call(operatorInvoiceEndpoints.listAllInvoices, { query: { ...filter, cursor }, signal }),
  );

export const anyInvoiceAddress = (id: string) =>
  addressOf(operatorInvoiceEndpoints.downloadAnyInvoice, { id });
