import type { Route } from "../http/route-table";
import type { ServeDeps } from "../http/serve";
import { accountRoutes } from "./account-api";
import { operatorRoutes } from "./operator-api";
import type { PagesDeps } from "./pages-deps";

/** What the pages do, for keys: `/v1/admin` and `/v1/account`. */
export const keyRoutes = (serveDeps: ServeDeps, deps: PagesDeps): Route[] => [
  ...operatorRoutes(serveDeps, deps),
  ...accountRoutes(serveDeps, deps),
];
