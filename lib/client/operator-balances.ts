import { queryOptions } from "@tanstack/react-query";
import { upstreamEndpoints } from "../contract/operator-upstream";
import { call } from "./call";

export const upstreamBalancesQuery = queryOptions({
  queryKey: ["operator", "upstream-balances"],
  queryFn: ({ signal }) => call(upstreamEndpoints.listUpstreamBalances, { signal }),
});
