import { queryOptions } from "@tanstack/react-query";
import { overviewEndpoints } from "../contract/operator";
import { call } from "./call";

export const operatorOverviewQuery = queryOptions({
  queryKey: ["operator", "overview"],
  queryFn: ({ signal }) => call(overviewEndpoints.showOverview, { signal }),
  refetchInterval: 15_000,
});
