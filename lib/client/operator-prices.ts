import { keepPreviousData, queryOptions, useInfiniteQuery, useMutation, useQuery, useQueryClient } from "@tanstack/react-query";
import {
  type NewPriceBody,
  operatorPricesResponse,
  previewPriceResponse,
  priceVersionsResponse,
  type UpstreamPriceBody,
} from "../contract/operator-prices";
import { requestWithProof } from "./proof";
import { request } from "./request";

export const operatorPricesQuery = queryOptions({
  queryKey: ["operator", "prices", "list"],
  queryFn: ({ signal }) => request("/api/admin/prices", operatorPricesResponse, { signal }),
  refetchInterval: 30_000,
});

/** All versions, the latest moment first, a page at a time. */
export function usePriceVersions(model: string | null) {
  return useInfiniteQuery({
    queryKey: ["operator", "prices", "versions", model],
    queryFn: ({ pageParam, signal }) => {
      const search = new URLSearchParams({ ...(model && { model }), ...(pageParam && { cursor: pageParam }) });
      return request(`/api/admin/prices/versions?${search}`, priceVersionsResponse, { signal });
    },
    initialPageParam: null as string | null,
    getNextPageParam: (page) => page.nextCursor,
    placeholderData: keepPreviousData,
  });
}

/** What a price would have charged for the last days; null: not to be asked for. */
export function usePricePreview(price: NewPriceBody | null) {
  return useQuery({
    queryKey: ["operator", "prices", "preview", price],
    queryFn: ({ signal }) => request("/api/admin/prices/preview", previewPriceResponse, { method: "POST", body: price, signal }),
    enabled: price !== null,
    placeholderData: keepPreviousData,
    staleTime: 60_000,
  });
}

function usePriceMutation<Change>(addressOf: (change: Change) => string, bodyOf: (change: Change) => unknown) {
  const client = useQueryClient();
  return useMutation({
    mutationFn: (change: Change) => requestWithProof(addressOf(change), operatorPricesResponse, { method: "POST", body: bodyOf(change) }),
    onSuccess: (list) => {
      client.setQueryData(operatorPricesQuery.queryKey, list);
      return client.invalidateQueries({ queryKey: ["operator", "prices", "versions"] });
    },
  });
}

export const useSetPrice = () =>
  usePriceMutation<NewPriceBody & { effectiveAt: string | null }>(
    () => "/api/admin/prices",
    (body) => body,
  );

export const useWithdrawPrice = () =>
  usePriceMutation<string>(
    (id) => `/api/admin/prices/${id}/withdraw`,
    () => undefined,
  );

export const useNoteUpstreamPrice = () =>
  usePriceMutation<UpstreamPriceBody>(
    () => "/api/admin/prices/upstream",
    (body) => body,
  );
