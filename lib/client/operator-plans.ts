import { queryOptions, useQuery } from "@tanstack/react-query";
import { operatorPlanEndpoints } from "../contract/operator-plans";
import { call } from "./call";

export const plansQuery = queryOptions({
  queryKey: ["operator", "plans"],
  queryFn: ({ signal }) => call(operatorPlanEndpoints.listPlans, { signal }),
});

/** The plan of any account, for operators. */
export const useAccountPlan = (id: string) =>
  useQuery({
    queryKey: ["operator", "account", id, "plan"],
    queryFn: ({ signal }) => call(operatorPlanEndpoints.showAccountPlan, { id, signal }),
  });
