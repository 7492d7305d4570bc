/** The operators' figures about money: revenue, liabilities, losses, and whether they reconcile. */

import { type AuditRun, lastAudit } from "../ledger/audit/audit-runs";
import { sealState } from "../ledger/audit/last-seal";
import { formatPoints } from "../money/points";
import { readUpstreamPrices, type UpstreamPrices } from "../price-book/upstream-price";
import { csvLine } from "../values/csv";
import {
  chargesByDayAndModel,
  costOf,
  marginOfModel,
  marginsByDay,
  outstandingByDay,
  sumsBy,
} from "./money-days";
import {
  type Consumption,
  chargesByChannel,
  creditsByKind,
  holdsOfAllAges,
  liabilities,
  lossesByCause,
  type Sum,
} from "./money-sums";
import type { QueryDeps } from "./query-deps";
import { revenueByCurrency } from "./revenue";

const DAY_MS = 86_400_000;

type Deps = Pick<QueryDeps, "pool" | "database">;

/** Midnight (UTC) of the first of the last `days` days, today included. */
const firstDay = (days: number) =>
  new Date(Math.floor(Date.now() / DAY_MS) * DAY_MS - (days - 1) * DAY_MS);

const sum = <Row extends Sum>({ points, ...rest }: Row) => ({
  ...rest,
  points: formatPoints(points),
});

const textOrNull = (amount: bigint | undefined) => (amount === undefined ? null : String(amount));

export const auditView = ({ startedAt, finishedAt, broken, ...run }: AuditRun) => ({
  ...run,
  broken: [...broken],
  startedAt: startedAt.toISOString(),
  seconds: (finishedAt.getTime() - startedAt.getTime()) / 1000,
});

/**
 * Compares the tokens' cost at the recorded upstream prices with the value of the charge.
 * Currencies are not converted.
 */
function reconcile(prices: UpstreamPrices, model: string, used: Consumption) {
  const { count, inputTokens, outputTokens, points } = used;
  const price = prices.ofModels.get(model);
  const facts = {
    model,
    requests: count,
    inputTokens,
    outputTokens,
    charged: formatPoints(points),
  };
  if (price === undefined)
    return { ...facts, currency: null, cost: null, income: null, marginPerMille: null };
  const margin = marginOfModel(prices, model, used);
  return {
    ...facts,
    currency: price.currency,
    cost: String(costOf(price, used)),
    income: margin === null ? null : String(margin.income),
    marginPerMille: margin?.perMille ?? null,
  };
}

/** The figures of the last `days` days, today included (UTC). */
export async function moneyOf({ pool, database }: Deps, { days }: { days: number }) {
  const from = firstDay(days);
  const [owed, revenue, credits, charges, losses, holds] = await Promise.all([
    liabilities(pool),
    revenueByCurrency(pool, from),
    creditsByKind(pool, from),
    chargesByDayAndModel(pool, from),
    lossesByCause(pool, from),
    holdsOfAllAges(pool),
  ]);
  const [prices, outstanding, channels, audit, seals] = await Promise.all([
    readUpstreamPrices(database),
    outstandingByDay(pool, from),
    chargesByChannel(pool, from),
    lastAudit(pool),
    sealState(pool),
  ]);
  const margins = marginsByDay(prices, charges);
  const ofModels = [...sumsBy(charges, ({ model }) => model)].sort(([, a], [, b]) =>
    Number(b.points - a.points),
  );
  return {
    from: from.toISOString().slice(0, 10),
    liabilities: {
      ...owed,
      available: formatPoints(owed.available),
      held: formatPoints(owed.held),
    },
    revenue: revenue.map(({ points, ...row }) => ({ ...row, points: formatPoints(points) })),
    credits: credits.map(sum),
    days: [...sumsBy(charges, ({ day }) => day)].map(([day, { count, points }]) => ({
      day,
      requests: count,
      points: formatPoints(points),
      income: textOrNull(margins.get(day)?.income),
      cost: textOrNull(margins.get(day)?.cost),
    })),
    currency: prices.pointPrice?.currency ?? null,
    outstanding: outstanding.map(({ day, points }) => ({ day, points: formatPoints(points) })),
    losses: losses.map(sum),
    holds: holds.map(sum),
    models: ofModels.map(([model, used]) => reconcile(prices, model, used)),
    channels:
      channels?.map(({ count, points, ...row }) => ({
        ...row,
        requests: count,
        charged: formatPoints(points),
      })) ?? null,
    audit: audit === null ? null : auditView(audit),
    seals,
  };
}

/**
 * The same figures as CSV: lines of subject, name, count, points, amount of money and its currency.
 */
export async function moneyCsv(
  deps: Deps,
  { days }: { days: number },
): Promise<{ from: string; lines: AsyncGenerator<string> }> {
  const money = await moneyOf(deps, { days });
  async function* lines() {
    yield csvLine(["subject", "name", "count", "points", "amount_smallest_unit", "currency"]);
    yield csvLine([
      "liability",
      "available",
      money.liabilities.accounts,
      money.liabilities.available,
      null,
      null,
    ]);
    yield csvLine(["liability", "held", null, money.liabilities.held, null, null]);
    for (const { currency, payments, amount, points } of money.revenue)
      yield csvLine(["revenue", "stripe", payments, points, amount, currency]);
    for (const { currency, refunded, disputed } of money.revenue) {
      yield csvLine(["refunded", "stripe", null, null, refunded, currency]);
      yield csvLine(["disputed", "stripe", null, null, disputed, currency]);
    }
    for (const { kind, count, points } of money.credits)
      yield csvLine(["entries", kind, count, points, null, null]);
    for (const { day, requests, points } of money.days)
      yield csvLine(["charges", day, requests, points, null, null]);
    for (const { cause, count, points } of money.losses)
      yield csvLine(["loss", cause, count, points, null, null]);
    for (const { age, count, points } of money.holds)
      yield csvLine(["held", age, count, points, null, null]);
    for (const { model, requests, charged } of money.models)
      yield csvLine(["model", model, requests, charged, null, null]);
    for (const { channelId, requests, charged } of money.channels ?? [])
      yield csvLine(["channel", channelId, requests, charged, null, null]);
  }
  return { from: money.from, lines: lines() };
}
