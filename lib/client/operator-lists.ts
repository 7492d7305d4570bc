import { keepPreviousData, queryOptions, useInfiniteQuery, useQuery } from "@tanstack/react-query";
import type * as z from "zod";
import { entriesResponse } from "../contract/entries";
import { accountResponse, accountsResponse, invitesResponse } from "../contract/operator-accounts";
import { actionsResponse, chainResponse } from "../contract/operator-actions";
import { moneyResponse } from "../contract/operator-money";
import { loggedRequestResponse, requestLogResponse, stuckResponse, tasksResponse } from "../contract/operator-requests";
import { batchesResponse, operatorPackagesResponse, operatorPaymentsResponse, vouchersResponse } from "../contract/operator-topup";
import { request } from "./request";

export type Filter = Readonly<Record<string, string | undefined>>;

const searchOf = (values: Filter) =>
  new URLSearchParams(Object.entries(values).filter((pair): pair is [string, string] => pair[1] !== undefined && pair[1] !== ""));

/** An address of the operators' API with what of the filter is set. */
export const operatorAddress = (path: string, filter: Filter) => `/api/admin/${path}?${searchOf(filter)}`;

/** The rows of a list, a page at a time; null: the filter is not known yet. */
function usePages<Page extends { nextCursor: string | null }>(path: string, schema: z.ZodType<Page>, filter: Filter | null) {
  return useInfiniteQuery({
    queryKey: ["operator", path, filter],
    queryFn: ({ pageParam, signal }) => request(operatorAddress(path, { ...filter, cursor: pageParam ?? undefined }), schema, { signal }),
    initialPageParam: null as string | null,
    getNextPageParam: (page) => page.nextCursor,
    enabled: filter !== null,
    placeholderData: keepPreviousData,
  });
}

export const useAccounts = (filter: Filter | null) => usePages("accounts", accountsResponse, filter);
export const useInvites = () => usePages("invites", invitesResponse, {});
export const useRequestLog = (filter: Filter | null) => usePages("requests", requestLogResponse, filter);
export const useTasks = (filter: Filter | null) => usePages("tasks", tasksResponse, filter);
export const useActions = (filter: Filter | null) => usePages("actions", actionsResponse, filter);
export const useVoucherBatches = () => usePages("vouchers", batchesResponse, {});
export const useBatchVouchers = (id: string) => usePages(`vouchers/${encodeURIComponent(id)}`, vouchersResponse, {});
export const useAllPayments = (attention: "all" | "open") => usePages("payments", operatorPaymentsResponse, { attention });
export const useAccountEntries = (id: string, kind: string) =>
  usePages(`accounts/${encodeURIComponent(id)}/entries`, entriesResponse, { kind });

export function useAccount(id: string) {
  return useQuery({
    queryKey: ["operator", "account", id],
    queryFn: ({ signal }) => request(`/api/admin/accounts/${encodeURIComponent(id)}`, accountResponse, { signal }),
  });
}

export function useLoggedRequest(id: string) {
  return useQuery({
    queryKey: ["operator", "request", id],
    queryFn: ({ signal }) => request(`/api/admin/requests/${encodeURIComponent(id)}`, loggedRequestResponse, { signal }),
  });
}

export const stuckQuery = queryOptions({
  queryKey: ["operator", "stuck"],
  queryFn: ({ signal }) => request("/api/admin/stuck", stuckResponse, { signal }),
  refetchInterval: 10_000,
});

export const chainQuery = queryOptions({
  queryKey: ["operator", "chain"],
  queryFn: ({ signal }) => request("/api/admin/actions/chain", chainResponse, { signal }),
  enabled: false,
});

export const packagesQuery = queryOptions({
  queryKey: ["operator", "packages"],
  queryFn: ({ signal }) => request("/api/admin/packages", operatorPackagesResponse, { signal }),
});

export function useMoney(days: string) {
  return useQuery({
    queryKey: ["operator", "money", days],
    queryFn: ({ signal }) => request(operatorAddress("money", { days }), moneyResponse, { signal }),
    placeholderData: keepPreviousData,
    refetchInterval: 60_000,
  });
}
