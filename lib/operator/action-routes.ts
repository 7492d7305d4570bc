import { actionsCsvQuery, actionsQuery, actionsResponse, chainResponse } from "../contract/operator-actions";
import { siteHandler } from "../http/site";
import { siteFile } from "../http/site-file";
import type { Host } from "../site/site-routes";
import { checkChain, downloadActions, listActions } from "./actions";

/** `/api/admin/actions…`. */
export function actionRoutes(host: Host) {
  const read = { session: "operator", body: null, query: null } as const;
  return {
    listActions: siteHandler(host, { ...read, query: actionsQuery, answer: actionsResponse, run: listActions }),
    downloadActions: siteHandler(host, { ...read, query: actionsCsvQuery, answer: siteFile, run: downloadActions }),
    checkChain: siteHandler(host, { ...read, answer: chainResponse, run: checkChain }),
  };
}
