/** The operators' overview and money page. */
import type { overviewEndpoints } from "../contract/operator";
import type { moneyEndpoints } from "../contract/operator-money";
import type { trendEndpoints } from "../contract/operator-trends";
import { RelayError } from "../failures/relay-error";
import { connectAndRunAudit, lastAudit } from "../ledger/audit/audit-runs";
import { sealState } from "../ledger/audit/last-seal";
import { auditView, moneyCsv, moneyOf } from "../queries/money";
import { showOverview } from "../queries/overview";
import { showTrends } from "../queries/trends";
import { historyDeps, type UseCases } from "./use-case";

/** The first audit of a long history seals it in the background; nobody waits for all of it. */
const PATIENCE_MS = 20_000;

type Endpoints = typeof moneyEndpoints & typeof overviewEndpoints & typeof trendEndpoints;

export const moneyUseCases: UseCases<Endpoints> = {
  showOverview: ({ deps }) => showOverview(deps),
  showTrends: (call) => showTrends(historyDeps(call), call.query),
  showMoney: (call) => moneyOf(historyDeps(call), call.query),
  async downloadMoney(call) {
    const { from, lines } = await moneyCsv(historyDeps(call), call.query);
    return { name: `money-${from}-${call.query.days}-days.csv`, lines };
  },
  async auditLedger({ deps, user }) {
    await connectAndRunAudit(deps.databaseUrl, user.userId, {
      signal: AbortSignal.timeout(PATIENCE_MS),
    });
    const audit = await lastAudit(deps.pool);
    if (audit === null) throw new RelayError("internal_error");
    return { audit: auditView(audit), seals: await sealState(deps.pool) };
  },
};
