import { keepPreviousData, queryOptions } from "@tanstack/react-query";
import { modelEndpoints } from "../contract/operator-models";
import type { PageFilterOf } from "../contract/page-endpoint";
import { call } from "./call";
import { reading } from "./read";

type ModelFilter = PageFilterOf<typeof modelEndpoints.listCatalogue>;

export const catalogueQuery = (filter: ModelFilter) =>
  queryOptions({
    queryKey: ["operator", "models", filter],
    queryFn: ({ signal }) => call(modelEndpoints.listCatalogue, { query: filter, signal }),
    placeholderData: keepPreviousData,
  });

export const modelQuery = (id: string) =>
  reading(["operator", "model", id], modelEndpoints.showModel, { id });

/** What a channel's upstream lists; null for no channel. */
export const upstreamModelsQuery = (channel: string | null) =>
  queryOptions({
    queryKey: ["operator", "upstream-models", channel],
    queryFn: ({ signal }) => call(modelEndpoints.listUpstreamModels, { id: channel ?? "", signal }),
    enabled: channel !== null,
    staleTime: Number.POSITIVE_INFINITY,
    retry: false,
  });

export const modelAddress = (id: string) => `/admin/models/${encodeURIComponent(id)}`;

const { body: _created, ...create } = modelEndpoints.createModel;
const { body: _changed, ...change } = modelEndpoints.changeModel;
/** For what a person typed: only the server checks it, and names what is wrong. */
export const typedModels = {
  create: { ...create, takesBody: true },
  change: { ...change, takesBody: true },
} as const;
