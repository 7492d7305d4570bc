import { useMutation, useQuery, useQueryClient } from "@tanstack/react-query";
import { type PaymentView, paymentEndpoints } from "../contract/payments";
import { meQuery } from "./account";
import { call } from "./call";
import { usePages } from "./pages";
import { usePaymentPage } from "./payment-page";

const CHECK_MS = 3000;

/** The account's purchases, newest first. */
export const usePayments = () =>
  usePages(["payments"], ({ cursor, signal }) =>
    call(paymentEndpoints.listPayments, { query: { cursor }, signal }),
  );

/** Creates a payment and opens the payment provider's page. */
export const useStartPayment = () =>
  usePaymentPage((packageId: string) =>
    call(paymentEndpoints.startPayment, { body: { packageId } }),
  );

/** Opens the page again on which a payment is paid. */
export const useContinuePayment = () =>
  usePaymentPage((id: string) => call(paymentEndpoints.continuePayment, { id }));

export function useCancelPayment() {
  const client = useQueryClient();
  return useMutation({
    mutationFn: (id: string) => call(paymentEndpoints.cancelPayment, { id }),
    // Also after a refusal: the payment may be over.
    onSettled: () => client.invalidateQueries({ queryKey: ["payments"] }),
  });
}

const isUnderWay = ({ state, isCredited }: PaymentView) =>
  state === "open" || state === "pending" || (state === "paid" && !isCredited);

/** The payment that the buyer returns from. Polled until it is decided. */
export function useReturnedPayment(id: string) {
  const client = useQueryClient();
  return useQuery({
    queryKey: ["payment", id],
    queryFn: async ({ signal }) => {
      const { payment } = await call(paymentEndpoints.checkPayment, { id, signal });
      if (payment.isCredited) {
        await Promise.all([
          client.invalidateQueries({ queryKey: meQuery.queryKey }),
          client.invalidateQueries({ queryKey: ["entries"] }),
          client.invalidateQueries({ queryKey: ["payments"] }),
          client.invalidateQueries({ queryKey: ["plan"] }),
        ]);
      }
      return payment;
    },
    refetchInterval: ({ state }) =>
      state.data === undefined || isUnderWay(state.data) ? CHECK_MS : false,
  });
}
