/** Our own accounts at upstreams, and their price lists. */
import { setUpstreamAlarm } from "../commands/upstream-alarm";
import { acceptListedRates, setPriceList } from "../commands/upstream-price-lists";
import type { upstreamEndpoints } from "../contract/operator-upstream";
import { parsePoints } from "../money/points";
import { listUpstreamBalances } from "../queries/upstream-balances";
import { listUpstreamPriceLists } from "../queries/upstream-price-lists";
import type { ProgramDeps, UseCases } from "./use-case";

export const upstreamUseCases: UseCases<typeof upstreamEndpoints, ProgramDeps> = {
  listUpstreamBalances: async ({ deps }) => ({ balances: await listUpstreamBalances(deps.pool) }),
  async setUpstreamAlarm({ deps, body: { channelId, below }, user }) {
    const amount = below === null ? null : (parsePoints(below) ?? 0n);
    await setUpstreamAlarm(deps, user.userId, { channelId, below: amount });
    return { balances: await listUpstreamBalances(deps.pool) };
  },
  listUpstreamPriceLists: ({ deps }) => listUpstreamPriceLists(deps.pool),
  async setUpstreamPriceList({ deps, body, user }) {
    await setPriceList(deps, user.userId, body);
    return listUpstreamPriceLists(deps.pool);
  },
  async acceptUpstreamRates({ deps, body, user }) {
    await acceptListedRates(deps, user.userId, body);
    return listUpstreamPriceLists(deps.pool);
  },
};
