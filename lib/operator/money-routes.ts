import { auditResponse, moneyQuery, moneyResponse } from "../contract/operator-money";
import { siteHandler } from "../http/site";
import { siteFile } from "../http/site-file";
import type { Host } from "../site/site-routes";
import { downloadMoney, runAuditNow, showMoney } from "./money";

/** `/api/admin/money…`. */
export function moneyRoutes(host: Host) {
  const read = { session: "operator", body: null, query: moneyQuery } as const;
  return {
    showMoney: siteHandler(host, { ...read, answer: moneyResponse, run: showMoney }),
    downloadMoney: siteHandler(host, { ...read, answer: siteFile, run: downloadMoney }),
    runAuditNow: siteHandler(host, { ...read, query: null, answer: auditResponse, run: runAuditNow }),
  };
}
