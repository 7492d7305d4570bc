import { keepPreviousData, queryOptions, useQuery } from "@tanstack/react-query";
import { overviewEndpoints } from "../contract/operator";
import { trendEndpoints } from "../contract/operator-trends";
import type { TrendRange } from "../contract/states";
import { call } from "./call";

export const operatorOverviewQuery = queryOptions({
  queryKey: ["operator", "overview"],
  queryFn: ({ signal }) => call(overviewEndpoints.showOverview, { signal }),
  refetchInterval: 15_000,
});

/** The requests of all accounts over time. */
export function useTrends(range: TrendRange) {
  return useQuery({
    queryKey: ["operator", "trends", range],
    queryFn: ({ signal }) => call(trendEndpoints.showTrends, { query: { range }, signal }),
    placeholderData: keepPreviousData,
    refetchInterval: 60_000,
  });
}
