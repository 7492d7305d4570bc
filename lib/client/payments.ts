import { useInfiniteQuery, useMutation, useQuery, useQueryClient } from "@tanstack/react-query";
import { type PaymentView, paymentResponse, paymentsResponse, startPaymentResponse } from "../contract/payments";
import { meQuery } from "./account";
import { request } from "./request";

const CHECK_MS = 3000;

/** The account's purchases, newest first. */
export function usePayments() {
  return useInfiniteQuery({
    queryKey: ["payments"],
    queryFn: ({ pageParam, signal }) =>
      request(`/api/payments${pageParam ? `?cursor=${encodeURIComponent(pageParam)}` : ""}`, paymentsResponse, { signal }),
    initialPageParam: null as string | null,
    getNextPageParam: (page) => page.nextCursor,
  });
}

/** Opens a payment and leaves for the payment provider's page. */
export function useStartPayment() {
  return useMutation({
    mutationFn: (packageId: string) => request("/api/payments", startPaymentResponse, { method: "POST", body: { packageId } }),
    onSuccess: ({ url }) => window.location.assign(url),
  });
}

const isUnderWay = ({ state, isCredited }: PaymentView) => state === "open" || state === "pending" || (state === "paid" && !isCredited);

/** How a payment stands that its buyer comes back from; asked for until it is decided. */
export function useReturnedPayment(id: string) {
  const client = useQueryClient();
  return useQuery({
    queryKey: ["payment", id],
    queryFn: async ({ signal }) => {
      const { payment } = await request(`/api/payments/${encodeURIComponent(id)}/check`, paymentResponse, { method: "POST", signal });
      if (payment.isCredited) {
        await Promise.all([
          client.invalidateQueries({ queryKey: meQuery.queryKey }),
          client.invalidateQueries({ queryKey: ["entries"] }),
          client.invalidateQueries({ queryKey: ["payments"] }),
        ]);
      }
      return payment;
    },
    refetchInterval: ({ state }) => (state.data === undefined || isUnderWay(state.data) ? CHECK_MS : false),
  });
}
