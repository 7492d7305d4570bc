import { keepPreviousData, queryOptions, useInfiniteQuery, useQuery } from "@tanstack/react-query";
import type { z } from "zod";
import type { UsageGrouping } from "../contract/states";
import {
  requestResponse,
  runningResponse,
  type spendQuery,
  spendResponse,
  type UsageFilterView,
  usageResponse,
  usageSummaryResponse,
} from "../contract/usage";
import { request } from "./request";

const searchOf = (values: Record<string, string | undefined>) =>
  new URLSearchParams(Object.entries(values).filter((pair): pair is [string, string] => pair[1] !== undefined));

export const csvAddress = (filter: UsageFilterView) => `/api/usage/csv?${searchOf(filter)}`;

/** The requests of a filter, newest first, a page at a time; null: the filter is not known yet. */
export function useUsage(filter: UsageFilterView | null) {
  return useInfiniteQuery({
    queryKey: ["usage", "rows", filter],
    queryFn: ({ pageParam, signal }) =>
      request(`/api/usage?${searchOf({ ...filter, cursor: pageParam ?? undefined })}`, usageResponse, { signal }),
    initialPageParam: null as string | null,
    getNextPageParam: (page) => page.nextCursor,
    enabled: filter !== null,
    placeholderData: keepPreviousData,
  });
}

export function useUsageSummary(filter: UsageFilterView | null, group: UsageGrouping) {
  return useQuery({
    queryKey: ["usage", "summary", filter, group],
    queryFn: ({ signal }) => request(`/api/usage/summary?${searchOf({ ...filter, group })}`, usageSummaryResponse, { signal }),
    enabled: filter !== null,
    placeholderData: keepPreviousData,
  });
}

const HELD_POLL_MS = 2000;

/** One request with what its price was made of; asked again while it runs. */
export function useRequestDetail(id: string) {
  return useQuery({
    queryKey: ["usage", "request", id],
    queryFn: ({ signal }) => request(`/api/requests/${encodeURIComponent(id)}`, requestResponse, { signal }),
    refetchInterval: (query) => (query.state.data?.entry.request?.state === "held" ? HELD_POLL_MS : false),
  });
}

export const runningQuery = queryOptions({
  queryKey: ["usage", "running"],
  queryFn: ({ signal }) => request("/api/running", runningResponse, { signal }),
  refetchInterval: (query) => ((query.state.data?.requests.length ?? 0) > 0 ? HELD_POLL_MS : false),
});

/** What was charged in the last days by day, model or key. */
export function useSpend(days: NonNullable<z.input<typeof spendQuery>["days"]>, group: UsageGrouping) {
  return useQuery({
    queryKey: ["usage", "spend", days, group],
    queryFn: ({ signal }) => request(`/api/spend?${searchOf({ days, group })}`, spendResponse, { signal }),
    placeholderData: keepPreviousData,
  });
}
