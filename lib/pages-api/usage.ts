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
import type { UseCases } from "./use-case";

export const usageUseCases: UseCases<typeof usageEndpoints> = {
  listUsage: ({ deps, query, user }) => listUsage(deps, { ...query, accountId: user.accountId }),
  showUsageSummary: ({ deps, query, user }) =>
    showUsageSummary(deps, { ...query, accountId: user.accountId }),
  showUsageChart: ({ deps, query, user }) =>
    showUsageChart(deps, { ...query, accountId: user.accountId }),
  async downloadUsage({ deps, query, user }) {
    const lines = await usageCsv(deps, { ...query, accountId: user.accountId });
    return { name: `relay-usage-${query.from}-${query.to}.csv`, lines };
  },
  listRunning: ({ deps, user }) => listRunning(deps, user),
  showRequest: ({ deps, id, user }) => showRequest(deps, { id, accountId: user.accountId }),
  showSpend: ({ deps, query, user }) => showSpend(deps, { ...query, accountId: user.accountId }),
  showStatement: ({ deps, query, user }) =>
    showStatement(deps, { ...query, accountId: user.accountId }),
  async downloadStatement({ deps, query, user }) {
    const lines = await statementCsv(deps, { ...query, accountId: user.accountId });
    return { name: `relay-statement-${query.from}-${query.to}.csv`, lines };
  },
};
