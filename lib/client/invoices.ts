import { useMutation, useQuery, useQueryClient } from "@tanstack/react-query";
import { type BillingDetails, invoiceEndpoints } from "../contract/invoices";
import { addressOf, call } from "./call";

const queryKey = ["invoices"];

/** The account's invoices, the months without one, and the billing details. */
export function useInvoices() {
  return useQuery({
    queryKey,
    queryFn: ({ signal }) => call(invoiceEndpoints.listInvoices, { signal }),
  });
}

export function useMakeInvoice() {
  const client = useQueryClient();
  return useMutation({
    mutationFn: (month: string) => call(invoiceEndpoints.makeInvoice, { body: { month } }),
    onSuccess: () => client.invalidateQueries({ queryKey }),
  });
}

export function useSetBilling() {
  const client = useQueryClient();
  return useMutation({
    mutationFn: (details: BillingDetails) => call(invoiceEndpoints.setBilling, { body: details }),
    onSuccess: () => client.invalidateQueries({ queryKey }),
  });
}

export const invoiceAddress = (id: string) => addressOf(invoiceEndpoints.downloadInvoice, { id });
export const receiptAddress = (id: string) => addressOf(invoiceEndpoints.downloadReceipt, { id });
