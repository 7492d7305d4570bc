import { operatorOverviewResponse } from "../contract/operator";
import { siteHandler } from "../http/site";
import type { Host } from "../site/site-routes";
import { showOverview } from "./overview";

/** Every address of `/api/admin`. */
export function operatorRoutes(host: Host) {
  return {
    showOverview: siteHandler(host, { session: "operator", body: null, query: null, answer: operatorOverviewResponse, run: showOverview }),
  };
}
