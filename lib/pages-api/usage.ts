/** The account's requests and their charges. */
import type { usageEndpoints } from "../contract/usage";
import { showStatement, statementCsv } from "../queries/statement";
import {
  listRunning,
  listUsage,
  showRequest,
  showSpend,
  showUsageChart,
  showUsageSummary,
  usageCsv,
} from "../queries/usage";
import { historyDeps, type UseCases } from "./use-case";

export const usageUseCases: UseCases<typeof usageEndpoints> = {
  listUsage: (call) =>
    listUsage(historyDeps(call), { ...call.query, accountId: call.user.accountId }),
  showUsageSummary: (call) =>
    showUsageSummary(historyDeps(call), { ...call.query, accountId: call.user.accountId }),
  showUsageChart: (call) =>
    showUsageChart(historyDeps(call), { ...call.query, accountId: call.user.accountId }),
  async downloadUsage(call) {
    const { query, user } = call;
    const lines = await usageCsv(historyDeps(call), { ...query, accountId: user.accountId });
    return { name: `relay-usage-${query.from}-${query.to}.csv`, lines };
  },
  listRunning: ({ deps, user }) => listRunning(deps, user),
  showRequest: ({ deps, id, user }) => showRequest(deps, { id, accountId: user.accountId }),
  showSpend: (call) =>
    showSpend(historyDeps(call), { ...call.query, accountId: call.user.accountId }),
  showStatement: (call) =>
    showStatement(historyDeps(call), { ...call.query, accountId: call.user.accountId }),
  async downloadStatement(call) {
    const { query, user } = call;
    const lines = await statementCsv(historyDeps(call), { ...query, accountId: user.accountId });
    return { name: `relay-statement-${query.from}-${query.to}.csv`, lines };
  },
};
