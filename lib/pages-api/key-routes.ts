/** What the pages do, by the same use cases, for keys: `/v1/admin`, `/v1/account`, `/v1/keys`, … */
import { accountDocumentText, operatorDocumentText } from "../contract/key-documents";
import {
  accountDocumentRow,
  isServedName,
  type KeyRow,
  keyRow,
  operatorDocumentRow,
} from "../contract/key-rows";
import { type PageTable, pageEndpoints } from "../contract/page-endpoints";
import { rowSummaries, type ServedName } from "../contract/row-summaries";
import type { Route } from "../http/route-table";
import { jsonTextAnswer, type ServeDeps, serve } from "../http/serve";
import { routeByKey } from "./by-key";
import { managedRoutes } from "./managed-routes";
import { useCases } from "./page-handlers";
import type { PagesDeps } from "./pages-deps";

function routesOf<Name extends ServedName>(
  name: Name,
  serveDeps: ServeDeps,
  deps: PagesDeps,
): Route[] {
  const row = keyRow(name);
  if (row === null) return [];
  const served = { page: pageEndpoints[name], run: useCases[name] };
  return [routeByKey<PageTable[Name]>(row, served, { serveDeps, deps })];
}

const documentRoute = (row: KeyRow, serveDeps: ServeDeps, text: () => string): Route => ({
  row,
  endpoint: serve(row, serveDeps, (call) => jsonTextAnswer(call, text())),
});

/** The routes of every row that keys may call, and of their documents. */
export const keyRoutes = (serveDeps: ServeDeps, deps: PagesDeps): Route[] => [
  ...Object.keys(rowSummaries)
    .filter(isServedName)
    .flatMap((name) => routesOf(name, serveDeps, deps)),
  ...managedRoutes(serveDeps, deps),
  documentRoute(operatorDocumentRow, serveDeps, operatorDocumentText),
  documentRoute(accountDocumentRow, serveDeps, accountDocumentText),
];
