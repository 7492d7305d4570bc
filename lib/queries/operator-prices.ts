/** Prices for operators: current and future ones, their upstream cost, and the margin. */
import type { z } from "zod";
import { allModels, findModel } from "../catalog/models";
import type { operatorPrice, priceVersionsQuery } from "../contract/operator-prices";
import { isPerOne, type Unit } from "../contract/units";
import { formatPoints } from "../money/points";
import { previewPrice } from "../price-book/preview";
import {
  readPresentPrices,
  readPriceVersions,
  readUpcomingPrices,
  type SetPriceVersion,
} from "../price-book/price-schedule";
import { completePrice } from "../price-book/set-price";
import {
  costOfSums,
  priceOfUpstream,
  readUpstreamPrices,
  type UpstreamPrice,
  type UpstreamPrices,
} from "../price-book/upstream-price";
import type { WantedPrice } from "../price-book/wanted-price";
import { marginOf } from "../pricing/margin";
import type { Price } from "../pricing/price";
import { dearestCost } from "../pricing/price-lines";
import { ratesOf } from "../pricing/rate";
import { ratesText } from "../pricing/rate-text";
import type { QueryDeps } from "./query-deps";
import { endedDays } from "./total-facts";
import { actorNames } from "./users";

const DAY_MS = 86_400_000;

type Deps = Pick<QueryDeps, "pool" | "database">;
type PriceView = z.input<typeof operatorPrice>;

const familyOf = (model: string) => findModel(model)?.family ?? "text";
const billsInput = (model: string) => familyOf(model) === "text";

const versionView = (
  { id, model, price, effectiveAt, createdBy }: SetPriceVersion,
  nameOf: (actor: string) => string,
) => ({
  id,
  model,
  input: billsInput(model) ? formatPoints(price.input) : null,
  output: formatPoints(price.output),
  rates: ratesText(familyOf(model), price),
  effectiveAt: effectiveAt.toISOString(),
  setBy: nameOf(createdBy),
});

interface Used {
  readonly requests: number;
  readonly inputTokens: bigint;
  readonly outputTokens: bigint;
  readonly charged: bigint;
}

const unused: Used = { requests: 0, inputTokens: 0n, outputTokens: 0n, charged: 0n };

async function used30Days({ pool }: Deps): Promise<Map<string, Used>> {
  const { rows } = await pool.query<{
    model: string;
    requests: string;
    input: string;
    output: string;
    amount: string;
  }>(
    `with ${endedDays}
     select model, sum(settled) as requests, sum(input_tokens) as input, sum(output_tokens) as output, sum(amount) as amount
       from days where settled > 0 group by model`,
    [new Date((Math.floor(Date.now() / DAY_MS) - 29) * DAY_MS)],
  );
  return new Map(
    rows.map((row) => [
      row.model,
      {
        requests: Number(row.requests),
        inputTokens: BigInt(row.input),
        outputTokens: BigInt(row.output),
        charged: BigInt(row.amount),
      },
    ]),
  );
}

function marginView(
  points: bigint,
  cost: bigint | null,
  upstream: UpstreamPrice | undefined,
  { pointPrice }: UpstreamPrices,
) {
  const margin =
    upstream && cost !== null
      ? marginOf(points, { currency: upstream.currency, amount: cost }, pointPrice)
      : null;
  if (margin === null) return null;
  const percent = margin.perMille === null ? null : margin.perMille / 10;
  return { income: formatPoints(margin.income), cost: formatPoints(margin.cost), percent };
}

/** Of each rate: what it earns, and what the upstream asks for the same. */
function rateMargins(
  model: string,
  price: Price,
  upstream: UpstreamPrice | undefined,
  costs: UpstreamPrices,
) {
  const family = familyOf(model);
  const cost = upstream && priceOfUpstream(upstream);
  const asked = cost ? ratesOf(family, cost).map(({ unit }) => unit) : [];
  // What the upstream asks in another kind of unit says nothing of a rate.
  const isKnown = (unit: Unit) =>
    isPerOne(unit) ? asked.includes(unit) : asked.some((each) => !isPerOne(each));
  return ratesOf(family, price).map((listed) => {
    const { amount, ...rate } = listed;
    const dearest = cost && isKnown(listed.unit) ? dearestCost(listed, price, cost) : null;
    const margin = marginView(amount, dearest, upstream, costs);
    return { ...rate, points: formatPoints(amount), margin };
  });
}

function priceView(
  model: string,
  facts: {
    present: SetPriceVersion | undefined;
    upcoming: readonly SetPriceVersion[];
    used: Used;
    costs: UpstreamPrices;
  },
  nameOf: (actor: string) => string,
): Omit<PriceView, "family"> {
  const { present, upcoming, used, costs } = facts;
  const upstream = costs.ofModels.get(model);
  const usedCost = upstream && costOfSums(upstream, used);
  return {
    model,
    present: present ? versionView(present, nameOf) : null,
    upcoming: upcoming.map((version) => versionView(version, nameOf)),
    upstream: upstream
      ? {
          currency: upstream.currency,
          input: upstream.input === null ? null : formatPoints(upstream.input),
          output: formatPoints(upstream.output),
          rates: ratesText(familyOf(model), priceOfUpstream(upstream)),
        }
      : null,
    margins: {
      input:
        present && billsInput(model)
          ? marginView(present.price.input, upstream?.input ?? null, upstream, costs)
          : null,
      output: present
        ? marginView(present.price.output, upstream?.output ?? null, upstream, costs)
        : null,
      rates: present ? rateMargins(model, present.price, upstream, costs) : [],
    },
    days30: {
      requests: used.requests,
      inputTokens: Number(used.inputTokens),
      outputTokens: Number(used.outputTokens),
      charged: formatPoints(used.charged),
      margin:
        used.requests === 0 ? null : marginView(used.charged, usedCost ?? null, upstream, costs),
    },
  };
}

/** The prices of every model in the catalogue. */
export async function showOperatorPrices(deps: Deps) {
  const { pool, database } = deps;
  const [present, upcoming, used, costs] = await Promise.all([
    readPresentPrices(pool),
    readUpcomingPrices(pool),
    used30Days(deps),
    readUpstreamPrices(database),
  ]);
  const nameOf = await actorNames(
    deps,
    [...present, ...upcoming].map(({ createdBy }) => createdBy),
  );
  const { pointPrice } = costs;
  return {
    prices: allModels().map(({ id, family }) => ({
      family,
      ...priceView(
        id,
        {
          present: present.find(({ model }) => model === id),
          upcoming: upcoming.filter(({ model }) => model === id),
          used: used.get(id) ?? unused,
          costs,
        },
        nameOf,
      ),
    })),
    pointPrice: pointPrice && {
      currency: pointPrice.currency,
      amount: formatPoints(pointPrice.amount),
    },
  };
}

/**
 * What the last 30 days would have been charged at a price. Rejects as setting that price would.
 */
export async function showPricePreview({ pool }: Pick<QueryDeps, "pool">, wanted: WantedPrice) {
  const { model, price, present } = await completePrice(pool, wanted);
  const previewed = await previewPrice(pool, model, present, price);
  const { charged, atPresent, atNew, units, ...preview } = previewed;
  return {
    ...preview,
    charged: formatPoints(charged),
    atPresent: atPresent === null ? null : formatPoints(atPresent),
    atNew: formatPoints(atNew),
    units: units.map((each) => ({
      ...each,
      atPresent: each.atPresent === null ? null : formatPoints(each.atPresent),
      atNew: formatPoints(each.atNew),
    })),
  };
}

/** All versions, including those that never applied; the latest moment first. */
export async function showPriceVersions(deps: Deps, query: z.output<typeof priceVersionsQuery>) {
  const { versions, nextCursor } = await readPriceVersions(deps.pool, query);
  const nameOf = await actorNames(
    deps,
    versions.map(({ createdBy }) => createdBy),
  );
  return { versions: versions.map((version) => versionView(version, nameOf)), nextCursor };
}
