import { queryOptions, useMutation, useQuery, useQueryClient } from "@tanstack/react-query";
import { planEndpoints } from "../contract/plans";
import { meQuery } from "./account";
import { call } from "./call";

const planQuery = queryOptions({
  queryKey: ["plan"],
  queryFn: ({ signal }) => call(planEndpoints.showPlan, { signal }),
});

/** The account's plan, its points that end, and the plans that are offered. */
export const usePlan = () => useQuery(planQuery);

/** Chooses a plan by its id; null cancels the one that the account is on. */
export function useChangePlan() {
  const client = useQueryClient();
  return useMutation({
    mutationFn: (planId: string | null) =>
      planId === null
        ? call(planEndpoints.cancelPlan, {})
        : call(planEndpoints.choosePlan, { body: { planId } }),
    onSuccess: async (view) => {
      client.setQueryData(planQuery.queryKey, view);
      await Promise.all([
        client.invalidateQueries({ queryKey: meQuery.queryKey }),
        client.invalidateQueries({ queryKey: ["entries"] }),
      ]);
    },
  });
}
