import { upstreamEndpoints } from "../contract/operator-upstream";
import { reading } from "./read";

export const upstreamBalancesQuery = reading(
  ["operator", "upstream-balances"],
  upstreamEndpoints.listUpstreamBalances,
  {},
);
