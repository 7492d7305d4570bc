import { operatorOverviewResponse } from "../contract/operator";
import { siteHandler } from "../http/site";
import { showOverview } from "../queries/overview";
import type { Host } from "../site/site-routes";
import { accountRoutes } from "./account-routes";
import { actionRoutes } from "./action-routes";
import { channelsRoutes } from "./channels-routes";
import { moneyRoutes } from "./money-routes";
import { pricesRoutes } from "./prices-routes";
import { requestRoutes } from "./request-routes";
import { settingsRoutes } from "./settings-routes";
import { topupRoutes } from "./topup-routes";

/** Every address of `/api/admin`. */
export function operatorRoutes(host: Host) {
  return {
    ...accountRoutes(host),
    ...requestRoutes(host),
    ...actionRoutes(host),
    ...channelsRoutes(host),
    ...pricesRoutes(host),
    ...settingsRoutes(host),
    ...topupRoutes(host),
    ...moneyRoutes(host),
    showOverview: siteHandler(host, {
      session: "operator",
      body: null,
      query: null,
      answer: operatorOverviewResponse,
      run: ({ parts }) => showOverview(parts),
    }),
  };
}
