import {
  operatorPricesResponse,
  previewPriceRequest,
  previewPriceResponse,
  priceVersionsQuery,
  priceVersionsResponse,
  setPriceRequest,
  upstreamPriceRequest,
} from "../contract/operator-prices";
import { siteHandler } from "../http/site";
import { showOperatorPrices, showPriceVersions } from "../queries/operator-prices";
import type { Host } from "../site/site-routes";
import { noteOneUpstreamPrice, previewOnePrice, setOnePrice, withdrawOnePrice } from "./prices";

export function pricesRoutes(host: Host) {
  const read = { session: "operator", body: null, query: null } as const;
  const write = { session: "operator", proof: "recent", query: null, answer: operatorPricesResponse } as const;
  const preview = { session: "operator", query: null, body: previewPriceRequest, answer: previewPriceResponse } as const;
  return {
    showOperatorPrices: siteHandler(host, { ...read, answer: operatorPricesResponse, run: ({ parts }) => showOperatorPrices(parts) }),
    showPriceVersions: siteHandler(host, {
      ...read,
      query: priceVersionsQuery,
      answer: priceVersionsResponse,
      run: ({ parts, query }) => showPriceVersions(parts, query),
    }),
    previewPrice: siteHandler(host, { ...preview, run: previewOnePrice }),
    setPrice: siteHandler(host, { ...write, body: setPriceRequest, run: setOnePrice }),
    withdrawPrice: siteHandler(host, { ...write, body: null, run: withdrawOnePrice }),
    noteUpstreamPrice: siteHandler(host, { ...write, body: upstreamPriceRequest, run: noteOneUpstreamPrice }),
  };
}
