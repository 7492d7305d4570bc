import { queryOptions } from "@tanstack/react-query";
import { upstreamEndpoints } from "../contract/operator-upstream";
import { call } from "./call";

export const priceListsQuery = queryOptions({
  queryKey: ["operator", "upstream-price-lists"],
  queryFn: ({ signal }) => call(upstreamEndpoints.listUpstreamPriceLists, { signal }),
});
