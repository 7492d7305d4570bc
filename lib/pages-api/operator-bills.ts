/** The bills of upstreams, compared with our own book, and what upstreams ask. */
import { noteUpstreamRates, reconcileBill } from "../commands/upstream-bills";
import type { billEndpoints } from "../contract/operator-bills";
import { ratesOfText } from "../pricing/rate-text";
import {
  billCsv,
  listUpstreamBills,
  listUpstreamRates,
  shownBill,
  shownRates,
  showUpstreamBill,
  viewOfBill,
} from "../queries/upstream-bills";
import type { ProgramDeps, UseCases } from "./use-case";

const BEGINNING = new Date(0);

export const billUseCases: UseCases<typeof billEndpoints, ProgramDeps> = {
  listUpstreamBills: async ({ deps, query }) => ({
    bills: (await listUpstreamBills(deps.pool, query.channelId ?? null)).map(viewOfBill),
  }),
  showUpstreamBill: async ({ deps, id, query }) =>
    shownBill(await showUpstreamBill(deps.pool, id, query.cause ?? null)),
  downloadUpstreamBill: async ({ deps, id }) => ({
    name: `${id}.csv`,
    lines: await billCsv(deps.pool, id),
  }),
  async reconcileUpstreamBill({ deps, body, user }) {
    const { id } = await reconcileBill(deps, user.userId, body);
    return shownBill(await showUpstreamBill(deps.pool, id));
  },
  listUpstreamRates: async ({ deps, query }) => ({
    rates: (await listUpstreamRates(deps.pool, query.channelId ?? null)).map(shownRates),
  }),
  async setUpstreamRates({ deps, body, user }) {
    const { effectiveAt, rates, ...given } = body;
    await noteUpstreamRates(deps, user.userId, {
      ...given,
      rates: ratesOfText(rates),
      effectiveAt: effectiveAt === null ? BEGINNING : new Date(effectiveAt),
    });
    return { done: true };
  },
};
