import { queryOptions, useMutation, useQuery, useQueryClient } from "@tanstack/react-query";
import { type OwnPlanView, planEndpoints, planPaymentEndpoints } from "../contract/plans";
import { meQuery } from "./account";
import { call } from "./call";
import { usePaymentPage } from "./payment-page";

const CHARGING_MS = 4000;

const planQuery = queryOptions({
  queryKey: ["plan"],
  queryFn: ({ signal }) => call(planEndpoints.showPlan, { signal }),
  refetchInterval: ({ state }) =>
    state.data?.current?.payment?.state === "charging" ? CHARGING_MS : false,
});

/** The account's plan, its points that end, and the plans that are offered. */
export const usePlan = () => useQuery(planQuery);

/** Periods of a plan that are paid at once. */
export interface PaidPlan {
  readonly planId: string;
  readonly periods: number;
}
/** `choose`: the id of a plan. */
export type PlanChange = "cancel" | { readonly choose: string } | { readonly payByCard: PaidPlan };

function send(change: PlanChange): Promise<OwnPlanView> {
  if (change === "cancel") return call(planEndpoints.cancelPlan, {});
  return "choose" in change
    ? call(planEndpoints.choosePlan, { body: { planId: change.choose } })
    : call(planPaymentEndpoints.payPlanByCard, { body: change.payByCard });
}

/** Chooses a plan, lets the saved card pay for one, or cancels the one that the account is on. */
export function useChangePlan() {
  const client = useQueryClient();
  return useMutation({
    mutationFn: send,
    onSuccess: async (view) => {
      client.setQueryData(planQuery.queryKey, view);
      await Promise.all([
        client.invalidateQueries({ queryKey: meQuery.queryKey }),
        client.invalidateQueries({ queryKey: ["entries"] }),
      ]);
    },
  });
}

/** Opens the payment provider's page for periods of a plan. */
export const useBuyPlan = () =>
  usePaymentPage((body: PaidPlan) => call(planPaymentEndpoints.buyPlan, { body }));
