import { useQuery } from "@tanstack/react-query";
import { operatorPlanEndpoints } from "../contract/operator-plans";
import { reading } from "./read";

export const plansQuery = reading(["operator", "plans"], operatorPlanEndpoints.listPlans, {});

export const useAccountPlan = (id: string) =>
  useQuery(
    reading(["operator", "account", id, "plan"], operatorPlanEndpoints.showAccountPlan, { id }),
  );
