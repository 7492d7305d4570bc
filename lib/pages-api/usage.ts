/** The account's requests and their charges. */
import type { UserSession } from "../accounts/session-store";
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

const accountOf = ({ accountId }: UserSession) => ({ accountId });

/** A group without its name, where that is a member's address and the caller may not read it. */
const shownTo =
  (user: UserSession, group: string | undefined) =>
  <Group extends { readonly name: string | null }>(each: Group): Group =>
    user.hidesMembers && group === "member" ? { ...each, name: null } : each;

export const usageUseCases: UseCases<typeof usageEndpoints> = {
  listUsage: (call) => listUsage(historyDeps(call), { ...call.query, ...accountOf(call.user) }),
  async showUsageSummary(call) {
    const { query, user } = call;
    const found = await showUsageSummary(historyDeps(call), { ...query, ...accountOf(user) });
    return { ...found, groups: found.groups.map(shownTo(user, query.group)) };
  },
  async showUsageChart(call) {
    const { query, user } = call;
    const found = await showUsageChart(historyDeps(call), { ...query, ...accountOf(user) });
    const ofSecond = shownTo(user, query.thenBy);
    const series = found.series.map((each) => ({
      ...shownTo(user, query.group)(each),
      second: each.second && ofSecond(each.second),
    }));
    return { series };
  },
  async downloadUsage(call) {
    const { query, user } = call;
    const lines = await usageCsv(historyDeps(call), { ...query, ...accountOf(user) });
    return { name: `relay-usage-${query.from}-${query.to}.csv`, lines };
  },
  listRunning: ({ deps, user }) => listRunning(deps, user),
  async showRequest({ deps, id, user }) {
    const found = await showRequest(deps, { id, ...accountOf(user) });
    return user.hidesMembers ? { ...found, maker: null } : found;
  },
  async showSpend(call) {
    const { query, user } = call;
    const found = await showSpend(historyDeps(call), { ...query, ...accountOf(user) });
    return { ...found, groups: found.groups.map(shownTo(user, query.group)) };
  },
  showStatement: (call) =>
    showStatement(historyDeps(call), { ...call.query, ...accountOf(call.user) }),
  async downloadStatement(call) {
    const { query, user } = call;
    const lines = await statementCsv(historyDeps(call), { ...query, ...accountOf(user) });
    return { name: `relay-statement-${query.from}-${query.to}.csv`, lines };
  },
};
