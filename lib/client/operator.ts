import { queryOptions } from "@tanstack/react-query";
import { operatorOverviewResponse } from "../contract/operator";
import { request } from "./request";

export const operatorOverviewQuery = queryOptions({
  queryKey: ["operator", "overview"],
  queryFn: ({ signal }) => request("/api/admin/overview", operatorOverviewResponse, { signal }),
  refetchInterval: 15_000,
});
