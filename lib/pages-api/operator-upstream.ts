/** Our own accounts at upstreams. */
import { setUpstreamAlarm } from "../commands/upstream-alarm";
import type { upstreamEndpoints } from "../contract/operator-upstream";
import { parsePoints } from "../money/points";
import { listUpstreamBalances } from "../queries/upstream-balances";
import type { ProgramDeps, UseCases } from "./use-case";

export const upstreamUseCases: UseCases<typeof upstreamEndpoints, ProgramDeps> = {
  listUpstreamBalances: async ({ deps }) => ({ balances: await listUpstreamBalances(deps.pool) }),
  async setUpstreamAlarm({ deps, body: { channelId, below }, user }) {
    const amount = below === null ? null : (parsePoints(below) ?? 0n);
    await setUpstreamAlarm(deps, user.userId, { channelId, below: amount });
    return { balances: await listUpstreamBalances(deps.pool) };
  },
};
