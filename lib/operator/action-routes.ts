import { actionsCsvQuery, actionsQuery, actionsResponse, chainResponse } from "../contract/operator-actions";
import { siteHandler } from "../http/site";
import { SiteFile, siteFile } from "../http/site-file";
import { actionsCsv, checkChain, listActions } from "../queries/actions";
import type { Host } from "../site/site-routes";

/** `/api/admin/actions…`. */
export function actionRoutes(host: Host) {
  const read = { session: "operator", body: null, query: null } as const;
  return {
    listActions: siteHandler(host, {
      ...read,
      query: actionsQuery,
      answer: actionsResponse,
      run: ({ parts, query }) => listActions(parts, query),
    }),
    downloadActions: siteHandler(host, {
      ...read,
      query: actionsCsvQuery,
      answer: siteFile,
      run: async ({ parts, query }) => new SiteFile(`relay-actions-${new Date().toISOString().slice(0, 10)}.csv`, actionsCsv(parts, query)),
    }),
    checkChain: siteHandler(host, { ...read, answer: chainResponse, run: ({ parts }) => checkChain(parts) }),
  };
}
