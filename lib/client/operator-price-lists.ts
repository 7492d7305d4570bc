import { upstreamEndpoints } from "../contract/operator-upstream";
import { reading } from "./read";

export const priceListsQuery = reading(
  ["operator", "upstream-price-lists"],
  upstreamEndpoints.listUpstreamPriceLists,
  {},
);
