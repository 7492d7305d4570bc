import { auditResponse, moneyQuery, moneyResponse } from "../contract/operator-money";
import { siteHandler } from "../http/site";
import { siteFile } from "../http/site-file";
import { moneyOf } from "../queries/money";
import type { Host } from "../site/site-routes";
import { downloadMoney, runAuditNow } from "./money";

/** `/api/admin/money…`. */
export function moneyRoutes(host: Host) {
  const read = { session: "operator", body: null, query: moneyQuery } as const;
  return {
    showMoney: siteHandler(host, { ...read, answer: moneyResponse, run: ({ parts, query }) => moneyOf(parts, query) }),
    downloadMoney: siteHandler(host, { ...read, answer: siteFile, run: downloadMoney }),
    runAuditNow: siteHandler(host, { ...read, query: null, answer: auditResponse, run: runAuditNow }),
  };
}
