import { keepPreviousData, queryOptions, skipToken, useQuery } from "@tanstack/react-query";
import type { ChartGrouping, ChartTimes } from "../contract/states";
import { usageEndpoints } from "../contract/usage";
import { RANGE_DAYS_MAX, type UsageFilterView } from "../contract/usage-filter";
import { addressOf, call } from "./call";
import { addDays, daysBetween } from "./days";
import { PACE_DAYS } from "./pace";
import { usePages } from "./pages";
import { reading } from "./read";

export const csvAddress = (query: UsageFilterView) =>
  addressOf(usageEndpoints.downloadUsage, { query });

const LIVE_MS = 2000;

/** The requests of a filter, newest first, one page at a time; null until the filter is known. */
export const useUsage = (filter: UsageFilterView | null, isLive = false) =>
  usePages(
    ["usage", "rows", filter],
    filter &&
      (({ cursor, signal }) =>
        call(usageEndpoints.listUsage, { query: { ...filter, cursor }, signal })),
    { everyMs: isLive ? LIVE_MS : undefined },
  );

/** The newest requests of the last year. */
export function useLastRequests() {
  return useQuery({
    queryKey: ["usage", "last"],
    queryFn: ({ signal }) => {
      const to = new Date().toISOString().slice(0, 10);
      const query = { from: addDays(to, 1 - RANGE_DAYS_MAX), to };
      return call(usageEndpoints.listUsage, { query, signal });
    },
  });
}

/** The sums over all requests of a filter. */
export function useUsageSummary(filter: UsageFilterView | null, isLive = false) {
  return useQuery({
    queryKey: ["usage", "summary", filter],
    queryFn:
      filter === null
        ? skipToken
        : ({ signal }) => call(usageEndpoints.showUsageSummary, { query: { ...filter }, signal }),
    placeholderData: keepPreviousData,
    refetchInterval: isLive ? LIVE_MS : false,
  });
}

/** The sums over as many days before the filter's own. */
export function useSumsBefore(filter: UsageFilterView | null) {
  const days = filter === null ? 0 : daysBetween(filter.from, filter.to).length;
  return useUsageSummary(
    filter && { ...filter, from: addDays(filter.from, -days), to: addDays(filter.to, -days) },
  );
}

/** The requests of a filter by day, divided into series, with the median times that are asked for. */
export function useUsageChart(
  filter: UsageFilterView | null,
  by: {
    readonly group: ChartGrouping;
    readonly thenBy?: ChartGrouping | undefined;
    readonly groupTag?: string | undefined;
  },
  times: ChartTimes,
) {
  return useQuery({
    queryKey: ["usage", "chart", filter, by, times],
    queryFn:
      filter === null
        ? skipToken
        : ({ signal }) =>
            call(usageEndpoints.showUsageChart, { query: { ...filter, ...by, times }, signal }),
    placeholderData: keepPreviousData,
  });
}

const HELD_POLL_MS = 2000;

/** One request with the parts of its price. Polled while it runs. */
export function useRequestDetail(id: string) {
  return useQuery({
    queryKey: ["usage", "request", id],
    queryFn: ({ signal }) => call(usageEndpoints.showRequest, { id, signal }),
    refetchInterval: (query) =>
      query.state.data?.entry.request?.state === "held" ? HELD_POLL_MS : false,
  });
}

export const runningQuery = queryOptions({
  queryKey: ["usage", "running"],
  queryFn: ({ signal }) => call(usageEndpoints.listRunning, { signal }),
  refetchInterval: (query) => ((query.state.data?.requests.length ?? 0) > 0 ? HELD_POLL_MS : false),
});

/** What each model cost in the last days. */
export const useSpendByModel = () =>
  useQuery({
    queryKey: ["usage", "spend", "model"],
    queryFn: ({ signal }) =>
      call(usageEndpoints.showSpend, {
        query: { days: String(PACE_DAYS), group: "model" },
        signal,
      }),
  });

const SPEND_DAYS = 30;

/** The charges of each of the last 30 days (UTC), today last; null until they are known. */
export function useDailySpend() {
  const query = useQuery(
    reading(["usage", "spend"], usageEndpoints.showSpend, {
      query: { days: String(SPEND_DAYS), group: "day" },
    }),
  );
  const known = new Map(query.data?.groups.map((group) => [group.id, group]));
  const days = query.data
    ? daysBetween(addDays(query.data.today, 1 - SPEND_DAYS), query.data.today).map((day) => ({
        day,
        amount: known.get(day)?.amount ?? "0.000000",
        requests: known.get(day)?.requests ?? 0,
      }))
    : null;
  return { ...query, days };
}
