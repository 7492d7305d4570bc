import {
  keepPreviousData,
  queryOptions,
  skipToken,
  useMutation,
  useQuery,
  useQueryClient,
} from "@tanstack/react-query";
import type { z } from "zod";
import {
  type NewPriceBody,
  type operatorPricesResponse,
  priceEndpoints,
  type UpstreamPriceBody,
} from "../contract/operator-prices";
import { call } from "./call";
import { usePages } from "./pages";

type Prices = z.infer<typeof operatorPricesResponse>;

export const operatorPricesQuery = queryOptions({
  queryKey: ["operator", "prices", "list"],
  queryFn: ({ signal }) => call(priceEndpoints.showOperatorPrices, { signal }),
  refetchInterval: 30_000,
});

/** All versions by start, the latest first, one page at a time. */
export const usePriceVersions = (model: string | null) =>
  usePages(["operator", "prices", "versions", model], ({ cursor, signal }) =>
    call(priceEndpoints.listPriceVersions, {
      query: { model: model ?? undefined, cursor },
      signal,
    }),
  );

/** What a price would have charged in the last days; null disables the query. */
export function usePricePreview(price: NewPriceBody | null) {
  return useQuery({
    queryKey: ["operator", "prices", "preview", price],
    queryFn:
      price === null
        ? skipToken
        : ({ signal }) => call(priceEndpoints.previewPrice, { body: price, signal }),
    placeholderData: keepPreviousData,
    staleTime: 60_000,
  });
}

function usePriceMutation<Change>(send: (change: Change) => Promise<Prices>) {
  const client = useQueryClient();
  return useMutation({
    mutationFn: send,
    onSuccess: (list) => {
      client.setQueryData(operatorPricesQuery.queryKey, list);
      return client.invalidateQueries({ queryKey: ["operator", "prices", "versions"] });
    },
  });
}

export const useSetPrice = () =>
  usePriceMutation((body: NewPriceBody & { effectiveAt: string | null }) =>
    call(priceEndpoints.setPrice, { body }),
  );

export const useWithdrawPrice = () =>
  usePriceMutation((id: string) => call(priceEndpoints.withdrawPrice, { id }));

export const useNoteUpstreamPrice = () =>
  usePriceMutation((body: UpstreamPriceBody) => call(priceEndpoints.noteUpstreamPrice, { body }));
