/** The operators' overview and money page. */
import type { overviewEndpoints } from "../contract/operator";
import type { moneyEndpoints } from "../contract/operator-money";
import type { trendEndpoints } from "../contract/operator-trends";
import { RelayError } from "../errors";
import { connectAndRunAudit, lastAudit } from "../ledger/audit-runs";
import { auditView, moneyCsv, moneyOf } from "../queries/money";
import { showOverview } from "../queries/overview";
import { showTrends } from "../queries/trends";
import type { UseCases } from "./use-case";

type Endpoints = typeof moneyEndpoints & typeof overviewEndpoints & typeof trendEndpoints;

export const moneyUseCases: UseCases<Endpoints> = {
  showOverview: ({ deps }) => showOverview(deps),
  showTrends: ({ deps, query }) => showTrends(deps, query),
  showMoney: ({ deps, query }) => moneyOf(deps, query),
  async downloadMoney({ deps, query }) {
    const { from, lines } = await moneyCsv(deps, query);
    return { name: `money-${from}-${query.days}-days.csv`, lines };
  },
  async auditLedger({ deps, user }) {
    await connectAndRunAudit(deps.databaseUrl, user.userId);
    const audit = await lastAudit(deps.pool);
    if (audit === null) throw new RelayError("internal_error");
    return { audit: auditView(audit) };
  },
};
