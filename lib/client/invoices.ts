import { useQuery } from "@tanstack/react-query";
import { type BillingDetails, invoiceEndpoints } from "../contract/invoices";
import { addressOf, call } from "./call";
import { reading } from "./read";
import { useWrite } from "./write";

const queryKey = ["invoices"];

/** The account's invoices, the months without one, and the billing details. */
export const useInvoices = () => useQuery(reading(queryKey, invoiceEndpoints.listInvoices, {}));

export const useMakeInvoice = () =>
  useWrite((month: string) => call(invoiceEndpoints.makeInvoice, { body: { month } }), queryKey);
export const useSetBilling = () =>
  useWrite((body: BillingDetails) => call(invoiceEndpoints.setBilling, { body }), queryKey);

export const invoiceAddress = (id: string) => addressOf(invoiceEndpoints.downloadInvoice, { id });
export const receiptAddress = (id: string) => addressOf(invoiceEndpoints.downloadReceipt, { id });
